import type { Catalogue } from '../packing.ts'

export const torture: Catalogue = {
  '--run “{onlyRun}” is not the id of a run': '--run «{onlyRun}» no es el id de una ejecución',
  '--run “{onlyRun}” needs --{sort}': '--run «{onlyRun}» necesita --{sort}',
  '--run “{id}” names a call, delivery or page visit that was not reached in the first run, which has no fault':
    '--run «{id}» nombra una llamada, una entrega o una visita de la página a la que no se llegó en la primera ejecución, que no tiene fallas',
  'an order is paid although the service has no loan for it':
    'un pedido está pagado aunque el servicio no tiene un crédito para él',
  'Do not treat an order as paid because of the return page, or because of an event. Treat it as paid only after a verification.':
    'No trates un pedido como pagado por la página de vuelta ni por un evento. Trátalo como pagado solo después de una verificación.',
  'an event without a valid signature is accepted': 'se acepta un evento sin firma válida',
  'Verify the signature over the raw bytes of the body, with a secret that is set and not empty. Answer 401 to every other event.':
    'Verifica la firma sobre los bytes del cuerpo sin cambios, con un secreto definido y no vacío. Responde 401 a cualquier otro evento.',
  'an order is shipped before its loan was verified': 'un pedido se despachó antes de verificar su crédito',
  'Ship only after a verification that names the order’s transaction, its amount and the state `ACTIVE`.':
    'Despacha solo después de una verificación que nombre la transacción del pedido, su monto y el estado `ACTIVE`.',
  'the transaction of the loan is not compared with the order':
    'la transacción del crédito no se compara con el pedido',
  'Before you ship, compare the `externalTrxId` of the verified loan with the id of the order.':
    'Antes de despachar, compara el `externalTrxId` del crédito verificado con el id del pedido.',
  'the amount of the loan is not compared with the order': 'el monto del crédito no se compara con el pedido',
  'Before you ship, compare the `loanAmount` of the verified loan with the amount of the order.':
    'Antes de despachar, compara el `loanAmount` del crédito verificado con el monto del pedido.',
  'the state of the loan is not checked': 'el estado del crédito no se revisa',
  'Before you ship, check that the state of the verified loan is `ACTIVE`.':
    'Antes de despachar, revisa que el estado del crédito verificado sea `ACTIVE`.',
  'one purchase makes two loans': 'una compra crea dos créditos',
  'Make only one loan for each purchase: while an order may be paid, do not let the customer pay another one for it.':
    'Crea un solo crédito por compra: mientras un pedido pueda pagarse, no dejes que el cliente pague otro por ella.',
  'a call that may have been carried out is sent again': 'una llamada que puede haberse realizado se envía otra vez',
  'Do not repeat an evaluation, a selection (`select`) or the start of a widget that got no clear answer, because it may have been carried out. The service has no call that tells you whether it was. Therefore cancel the order and let the customer begin again.':
    'No repitas una evaluación, una elección (`select`) o el inicio de un widget sin respuesta clara, porque puede haberse realizado. El servicio no tiene una llamada que te diga si fue así. Por eso cancela el pedido y deja que el cliente empiece de nuevo.',
  'a cancellation that may have been carried out is sent again':
    'una anulación que puede haberse realizado se envía otra vez',
  'Store that an order is being refunded before you send the cancellation, and send it only once. If the answer is missing or unclear, verify the loan. Send the cancellation again only after a verification that still shows the loan as `ACTIVE`.':
    'Guarda que el pedido se está reembolsando antes de enviar la anulación, y envíala una sola vez. Si la respuesta falta o no es clara, verifica el crédito. Envía la anulación otra vez solo después de una verificación que todavía muestre el crédito como `ACTIVE`.',
  'an order is refunded although its loan is not cancelled':
    'un pedido está reembolsado aunque su crédito no está anulado',
  'Mark an order as refunded only when a verification shows its loan as cancelled, and not when you send the cancellation. If the service refuses the cancellation, leave the order paid, and tell the operator.':
    'Marca un pedido como reembolsado solo cuando una verificación muestra su crédito como anulado, y no cuando envías la anulación. Si el servicio rechaza la anulación, deja el pedido pagado y avisa al operador.',
  'a loan is cancelled, and its order stays paid': 'un crédito está anulado, y su pedido sigue pagado',
  'Verify the loan after a cancellation that got no clear answer. Let the reconciliation verify every order that is being refunded, until its loan is cancelled. Do not let a late event or return make a refunded order paid again.':
    'Verifica el crédito después de una anulación sin respuesta clara. Haz que la conciliación verifique cada pedido que se está reembolsando, hasta que su crédito esté anulado. No dejes que un evento o una vuelta tardía haga pagado otra vez un pedido reembolsado.',
  'an order is shipped after its loan was cancelled': 'un pedido se despacha después de anularse su crédito',
  'Before you ship an order, check in the same transaction that it is paid, and neither refunded nor being refunded.':
    'Antes de despachar un pedido, revisa en la misma transacción que esté pagado, y que no esté reembolsado ni reembolsándose.',
  'the shop’s orders are read before a verification or a cancellation is answered, and {NO_EVENT}':
    'los pedidos de la tienda se leen antes de que se responda una verificación o una anulación, y {NO_EVENT:text}',
  'ships and refunds only after it has read the answer': 'despacha y reembolsa solo después de leer la respuesta',
  'Ship only after a verification has named the order, its amount and the state ACTIVE. Mark an order as refunded only after a verification has shown its loan as cancelled.':
    'Despacha solo después de que una verificación haya nombrado el pedido, su monto y el estado ACTIVE. Marca un pedido como reembolsado solo después de que una verificación haya mostrado su crédito como anulado.',
  'the cancellation is carried out, its answer is lost, and every later connection to the service is reset until the test has ended':
    'la anulación se realiza, su respuesta se pierde, y cada conexión posterior con el servicio se corta hasta que termine la prueba',
  'stores that the order is being refunded, and lets the reconciliation verify it':
    'guarda que el pedido se está reembolsando, y deja que la conciliación lo verifique',
  'Before you send a cancellation, store that the order is being refunded. In the reconciliation, verify every such order until its loan is cancelled.':
    'Antes de enviar una anulación, guarda que el pedido se está reembolsando. En la conciliación, verifica cada uno de esos pedidos hasta que su crédito esté anulado.',
  'the event of the payment arrives only after the loan was cancelled, and then the success address is opened again':
    'el evento del pago llega solo después de anularse el crédito, y luego se abre otra vez la dirección de éxito',
  'answers 2xx, and leaves the order refunded': 'responde 2xx, y deja el pedido reembolsado',
  'Use an event and a return only as a reason to verify. An order that is refunded, or is being refunded, is never paid again.':
    'Usa un evento y una vuelta solo como motivo para verificar. Un pedido reembolsado, o que se está reembolsando, no vuelve a estar pagado.',
  '61 days pass before the cancellation, so the service refuses it':
    'pasan 61 días antes de la anulación, así que el servicio la rechaza',
  'leaves the order paid, and tells the operator': 'deja el pedido pagado, y avisa al operador',
  'If the service refuses a cancellation, leave the order paid, and tell the operator why. Only a loan that is cancelled is refunded.':
    'Si el servicio rechaza una anulación, deja el pedido pagado, y di al operador por qué. Solo se reembolsa un crédito anulado.',
  '{externalTrxId} is not paid any more, because its loan is cancelled':
    '{externalTrxId} ya no está pagado, porque su crédito está anulado',
  'the shop lists it as paid{settled}': 'la tienda lo lista como pagado{settled:text}',
  '{id} is not fulfilled any more, because its loan was cancelled before':
    '{id} ya no se despacha, porque su crédito se anuló antes',
  'the number of its shipments was {already} when the loan was cancelled, and {fulfilled} in the end':
    'el número de sus despachos era {already} cuando se anuló el crédito, y {fulfilled} al final',
  '{externalTrxId} is not refunded, because its loan is not cancelled':
    '{externalTrxId} no está reembolsado, porque su crédito no está anulado',
  'the shop listed it as refunded': 'la tienda lo listó como reembolsado',
  'the loan of {externalTrxId} is verified before its cancellation is sent again, because the first call may have been carried out':
    'el crédito de {externalTrxId} se verifica antes de enviar su anulación otra vez, porque la primera llamada puede haberse realizado',
  'the cancellation was sent again without a verification': 'la anulación se envió otra vez sin una verificación',
  'before the cancellation was answered': 'antes de que se respondiera la anulación',
  'an order is shipped twice': 'un pedido se despacha dos veces',
  'Ship an order a single time, even if the return, the webhook and the reconciliation arrive in any order, at the same time, or twice. A unique key for each shipment does this.':
    'Despacha un pedido una sola vez, aunque la vuelta, el webhook y la conciliación lleguen en cualquier orden, a la vez, o dos veces. Lo logra una clave única por despacho.',
  'a customer has paid, and the order is never paid': 'un cliente pagó, y el pedido nunca está pagado',
  'an order is paid, and never shipped': 'un pedido está pagado, y nunca se despacha',
  'Ship every paid order before the command of `--settle` ends with exit 0.':
    'Despacha cada pedido pagado antes de que el comando de `--settle` termine con la salida 0.',
  'an order has another amount or other installments than its loan':
    'un pedido tiene otro monto u otras cuotas que su crédito',
  'Read the amount and the installments from the loan, and store them with the order.':
    'Lee el monto y las cuotas del crédito, y guárdalos con el pedido.',
  'a key, a secret or a national id is written where others can read it':
    'una clave, un secreto o un RUT se escribe donde otros lo pueden leer',
  'Never write the API key anywhere. Never write a national id or another secret to the output or to logs. Logs are files of `BNPL_RUN_DIR` that end in `.log`, `.out` or `.err`.':
    'No escribas nunca la clave de API. No escribas un RUT ni otro secreto en la salida ni en registros. Los registros son archivos de `BNPL_RUN_DIR` que terminan en `.log`, `.out` o `.err`.',
  'a genuine event is refused': 'se rechaza un evento auténtico',
  'an event that arrives a second time is answered with an error':
    'un evento que llega por segunda vez se responde con un error',
  'Answer 2xx to an event that was already received, and do nothing else.':
    'Responde 2xx a un evento que ya se recibió, y no hagas nada más.',
  'the shop waits without end': 'la tienda espera sin fin',
  'Give every call a time limit, and give up after some repetitions. Limit the wait that `Retry-After` asks for.':
    'Da a cada llamada un tiempo máximo, y abandona después de algunas repeticiones. Limita la espera que pide `Retry-After`.',
  'the server of the shop ends, or does not start again': 'el servidor de la tienda termina, o no vuelve a iniciar',
  'With `--restart`: do not end because of an answer of the service. Start even if a killed server left a lock or a half-written file.':
    'Con `--restart`: no termines por una respuesta del servicio. Inicia aunque un servidor terminado a la fuerza haya dejado un bloqueo o un archivo a medias.',
  'the orders cannot be listed': 'los pedidos no se pueden listar',
  'Make sure that the program of `--orders` prints each order once, on a line of its own, after every fault. Store an order only once, also if its customer returns twice.':
    'Asegúrate de que el programa de `--orders` imprima cada pedido una vez, en su propia línea, después de cada falla. Guarda un pedido solo una vez, también si su cliente vuelve dos veces.',
  'a payment is not completed after a fault that permits it':
    'un pago no se completa después de una falla que lo permite',
  'Complete the payment after a fault that permits it. Such faults are a failed verification, a webhook that arrives twice or never, and a new field.':
    'Completa el pago después de una falla que lo permite. Tales fallas son una verificación fallida, un webhook que llega dos veces o nunca, y un campo nuevo.',
  'the verified loan is not compared with the order': 'el crédito verificado no se compara con el pedido',
  'Before you ship, compare the verified loan with the order: its `externalTrxId` with the id of the order, its `loanAmount` with the amount, and its state with `ACTIVE`. Do this after every verification: on the return, after an event, and in the reconciliation.':
    'Antes de despachar, compara el crédito verificado con el pedido: su `externalTrxId` con el id del pedido, su `loanAmount` con el monto, y su estado con `ACTIVE`. Hazlo después de cada verificación: a la vuelta, después de un evento, y en la conciliación.',
  'a verification that failed is not repeated': 'una verificación que falló no se repite',
  'Repeat a verification a few times after a pause when it got no answer, a 5xx, a 429, or an answer that cannot be parsed. After a 429, wait as long as Retry-After says, but not longer than a few seconds. After the last attempt, leave the order open for the reconciliation. Repeat no other call.':
    'Repite una verificación algunas veces después de una pausa cuando no tuvo respuesta, o un 5xx, un 429, o una respuesta que no se puede interpretar. Después de un 429 espera lo que dice Retry-After, pero no más de unos segundos. Después del último intento, deja el pedido abierto para la conciliación. No repitas ninguna otra llamada.',
  'an order is paid by an event about another transaction': 'un pedido se paga por un evento de otra transacción',
  'a delivery that the shop does not expect prevents a payment': 'una entrega que la tienda no espera impide un pago',
  'Handle every delivery on its own, so that an error in one never ends the server. Accept deliveries only as POST. Answer 401 if the signature is wrong. Find the order by the `externalTrxId` of the event; if you have no such order, answer 2xx and do nothing.':
    'Maneja cada entrega por separado, para que un error en una nunca termine el servidor. Acepta entregas solo como POST. Responde 401 si la firma no es válida. Busca el pedido por el `externalTrxId` del evento; si no tienes ese pedido, responde 2xx y no hagas nada.',
  'an order is paid because the customer came back, although no loan exists':
    'un pedido se paga porque el cliente volvió, aunque no existe un crédito',
  'the reconciliation closes an order that it could not verify, or says that it succeeded':
    'la conciliación cierra un pedido que no pudo verificar, o dice que terminó bien',
  'In the reconciliation, leave an order open if its verification failed or does not agree with the order. End then with an exit code that is not 0, and ask again in the next run. A 404 is no failure: the order has no loan yet, so leave it open too.':
    'En la conciliación, deja un pedido abierto si su verificación falló o no coincide con el pedido. En ese caso termina con un código de salida distinto de 0, y pregunta otra vez en la próxima ejecución. Un 404 no es un fallo: el pedido aún no tiene un crédito, así que déjalo abierto también.',
  'line {part} {order}': 'la línea {part} {order:text}',
  'line {part} lists an order a second time': 'la línea {part} lista un pedido por segunda vez',
  'is not JSON': 'no es JSON',
  'is not an object': 'no es un objeto',
  'needs a field “externalTrxId” that is a non-empty string':
    'necesita un campo «externalTrxId» que sea un texto no vacío',
  'needs a field “paid” that is true or false': 'necesita un campo «paid» que sea true o false',
  'needs a field “fulfilled” that is 0 or a positive whole number':
    'necesita un campo «fulfilled» que sea 0 o un número entero positivo',
  'repeats a verification after a pause, and repeats no call that may have been carried out':
    'repite una verificación después de una pausa, y no repite ninguna llamada que pueda haberse realizado',
  'Repeat a failed verification a few times after a pause, and leave the order open for the reconciliation. Never repeat an evaluation, a selection or the start of the widget: cancel the order instead.':
    'Repite una verificación fallida algunas veces después de una pausa, y deja el pedido abierto para la conciliación. No repitas nunca una evaluación, una elección o el inicio del widget: cancela el pedido.',
  'treats an answer that cannot be read as an unknown outcome':
    'trata una respuesta que no se puede leer como un resultado desconocido',
  'Treat an answer that cannot be parsed like a missing answer: repeat a verification, and no other call.':
    'Trata una respuesta que no se puede interpretar como una respuesta que falta: repite una verificación, y ninguna otra llamada.',
  'compares the {field} of the loan with its order, and does not ship':
    'compara {field:text} del crédito con su pedido, y no despacha',
  'Before you ship, compare the {field} of the verified loan with {not}. If it differs, leave the order open and verify again later.':
    'Antes de despachar, compara {field:text} del crédito verificado con {not:text}. Si difiere, deja el pedido abierto y verifica otra vez más tarde.',
  'reads the fields that it needs by their names, and ignores the others':
    'lee por nombre los campos que necesita, e ignora los otros',
  'Read fields by name, and ignore fields that you do not know. Their order has no meaning.':
    'Lee los campos por nombre, e ignora los que no conoces. Su orden no significa nada.',
  'ships the order a single time': 'despacha el pedido una sola vez',
  'Store the payment and the shipment in one transaction, with a unique key for each order, so that a second return or event ships nothing.':
    'Guarda el pago y el despacho en una misma transacción, con una clave única por pedido, para que una segunda vuelta o evento no despache nada.',
  'verifies the order when the customer returns, and in its reconciliation':
    'verifica el pedido cuando el cliente vuelve, y en su conciliación',
  'Do not rely on events: verify the order when the customer returns, and verify every open order in the reconciliation.':
    'No dependas de los eventos: verifica el pedido cuando el cliente vuelve, y verifica cada pedido abierto en la conciliación.',
  'answers 401, and nothing else happens': 'responde 401, y no pasa nada más',
  'Verify the signature over the raw bytes of the body before you use an event, with a secret that is set and not empty. Answer 401 to every other event.':
    'Verifica la firma sobre los bytes del cuerpo sin cambios antes de usar un evento, con un secreto definido y no vacío. Responde 401 a cualquier otro evento.',
  'verifies the order, and does not ship': 'verifica el pedido, y no despacha',
  'Let the return page decide nothing: verify the loan of your own order there, and ship only if it is ACTIVE.':
    'Que la página de vuelta no decida nada: verifica ahí el crédito de tu propio pedido, y despacha solo si está ACTIVE.',
  'leaves the order unpaid, and lets the customer begin again':
    'deja el pedido sin pagar, y permite al cliente empezar de nuevo',
  'Treat an order as paid only if the service has a loan for it.':
    'Trata un pedido como pagado solo si el servicio tiene un crédito para él.',
  'finds the payment through the event or the reconciliation': 'encuentra el pago por el evento o la conciliación',
  'Before the customer can pay, store the order as open. Verify open orders when an event arrives and in the reconciliation.':
    'Antes de que el cliente pueda pagar, guarda el pedido como abierto. Verifica los pedidos abiertos cuando llega un evento y en la conciliación.',
  'leaves the order open, and ends with an exit code that is not 0':
    'deja el pedido abierto, y termina con un código de salida distinto de 0',
  'gives the call a time limit, and treats the outcome as unknown':
    'da un tiempo máximo a la llamada, y trata el resultado como desconocido',
  'Give every call a time limit of a few seconds. After it, the call may still be carried out.':
    'Da a cada llamada un tiempo máximo de pocos segundos. Después, la llamada todavía puede realizarse.',
  'waits as long as Retry-After says, but not without limit, and sends the call again':
    'espera lo que dice Retry-After, pero no sin límite, y envía la llamada otra vez',
  'After 429 wait as long as Retry-After says, with an upper limit, and send the call again: it was not carried out.':
    'Después de un 429 espera lo que dice Retry-After, con un límite superior, y envía la llamada otra vez: no se realizó.',
  'the amount of the order': 'el monto del pedido',
  'the id of the order': 'el id del pedido',
  'does not depend on the ids of an evaluation to find its order':
    'no depende de los ids de una evaluación para encontrar su pedido',
  'Find an order by your own externalTrxId, and not by an id of an answer.':
    'Encuentra un pedido por tu propio externalTrxId, y no por un id de una respuesta.',
  'verifies the loan, and believes neither the second event nor its amounts':
    'verifica el crédito, y no cree al segundo evento ni a sus montos',
  'Use an event only as a reason to verify: read the amount from the verified loan.':
    'Usa un evento solo como motivo para verificar: lee el monto del crédito verificado.',
  'accepts deliveries only as POST': 'acepta entregas solo como POST',
  'Accept deliveries only as POST, and never redirect them.':
    'Acepta entregas solo como POST, y no las redirijas nunca.',
  'answers 2xx, and changes no order': 'responde 2xx, y no cambia ningún pedido',
  'Find the order by the externalTrxId of the event. If you have no such order, answer 2xx and do nothing.':
    'Encuentra el pedido por el externalTrxId del evento. Si no tienes ese pedido, responde 2xx y no hagas nada.',
  'keeps the order open after the first return, so that the second payment pays it':
    'mantiene el pedido abierto después de la primera vuelta, para que el segundo pago lo pague',
  'Do not close an order because its customer returned without a loan: the customer may try again with the same address.':
    'No cierres un pedido porque su cliente volvió sin crédito: puede intentarlo otra vez con la misma dirección.',
  'no event is delivered until the test has ended': 'no se entrega ningún evento hasta que la prueba termina',
  'the call is carried out, and then the answer is {status}': 'la llamada se realiza, y la respuesta es {status}',
  'treats 5xx as an unknown outcome: it repeats a verification, and no other call':
    'trata un 5xx como resultado desconocido: repite una verificación, y ninguna otra llamada',
  'A {status} does not mean that nothing was done. Repeat a verification; after any other call cancel the order, and let the customer begin again.':
    'Un {status} no significa que no se hizo nada. Repite una verificación; después de cualquier otra llamada cancela el pedido, y deja que el cliente empiece de nuevo.',
  'before the customer pays, {how} says that the order is paid':
    'antes de que el cliente pague, {how:text} dice que el pedido está pagado',
  'the customer pays and does not return, {NO_EVENT}, and during the first run of --settle {how}':
    'el cliente paga y no vuelve, {NO_EVENT:text}, y durante la primera ejecución de --settle {how:text}',
  'from this call on, every connection to the service is reset, and nothing is done until the test has ended':
    'desde esta llamada se corta cada conexión con el servicio, y no se hace nada hasta que la prueba termina',
  'leaves an order open that the customer may have paid, and settles it later':
    'deja abierto un pedido que el cliente puede haber pagado, y lo resuelve más tarde',
  'Never conclude from a missing answer that an order has no loan. Leave the order open after the last attempt, and let the reconciliation ask again.':
    'Nunca concluyas de una respuesta que falta que un pedido no tiene crédito. Deja el pedido abierto después del último intento, y que la conciliación pregunte otra vez.',
  'the call is carried out, and its answer never arrives, although the connection stays open':
    'la llamada se realiza, y su respuesta nunca llega, aunque la conexión sigue abierta',
  'gives up after its own time limit, and treats the outcome as unknown':
    'abandona después de su propio tiempo máximo, y trata el resultado como desconocido',
  'Give every call a time limit of a few seconds, and treat the outcome as unknown after it.':
    'Da a cada llamada un tiempo máximo de pocos segundos, y trata después el resultado como desconocido.',
  'the answer is 429 with a Retry-After of one hour, and nothing is done':
    'la respuesta es 429 con un Retry-After de una hora, y no se hace nada',
  'does not keep the customer waiting, and asks again later':
    'no hace esperar al cliente, y pregunta otra vez más tarde',
  'Limit the wait that Retry-After asks for to a few seconds while a customer waits. Otherwise give up, and let the reconciliation ask again.':
    'Limita a pocos segundos la espera que pide Retry-After mientras un cliente espera. Si no alcanza, abandona, y que la conciliación pregunte otra vez.',
  'every connection to the service is reset': 'se corta cada conexión con el servicio',
  'every verification is answered with 500': 'cada verificación se responde con 500',
  'every verification is answered with an HTML page': 'cada verificación se responde con una página HTML',
  'verifications show an amount that is too low by 1': 'las verificaciones muestran un monto menor en 1',
  'verifications show the externalTrxId of another transaction':
    'las verificaciones muestran el externalTrxId de otra transacción',
  'a delivery with a wrong signature': 'una entrega con una firma incorrecta',
  'a delivery signed with an empty secret': 'una entrega firmada con un secreto vacío',
  'a delivery signed with the word “undefined” as its secret':
    'una entrega firmada con la palabra «undefined» como secreto',
  'a delivery with a wrong proof of the other scheme (a token for HMAC, HMAC for a token)':
    'una entrega con una prueba incorrecta del otro esquema (un token en vez de HMAC, HMAC en vez de un token)',
  'the destination is registered, but the answer with its secret is lost. Before the customer pays, a delivery signed with an empty secret, and one signed with “undefined”, say that the order is paid':
    'el destino se registra, pero la respuesta con su secreto se pierde. Antes de que el cliente pague, una entrega firmada con un secreto vacío, y otra firmada con «undefined», dicen que el pedido está pagado',
  'answers 401 as long as it has no secret, and registers a new destination':
    'responde 401 mientras no tiene un secreto, y registra un destino nuevo',
  'Refuse every event while no secret is set. If the answer to a registration was lost, delete the destination and register it again.':
    'Rechaza todo evento mientras no haya un secreto definido. Si se perdió la respuesta a un registro, borra el destino y regístralo otra vez.',
  'before the customer pays, a genuine event about the transaction of another shop arrives':
    'antes de que el cliente pague, llega un evento auténtico sobre la transacción de otra tienda',
  'before the customer pays, the success address is opened with the parameters of this transaction, and then with those of another':
    'antes de que el cliente pague, se abre la dirección de éxito con los parámetros de esta transacción, y luego con los de otra',
  '11 minutes pass before the call, so tokens expire and retries become due':
    'pasan 11 minutos antes de la llamada, así que vencen los tokens y llegan los reintentos',
  'starts again with a new token if the old one has expired':
    'empieza otra vez con un token nuevo si el anterior venció',
  'Expect that tokens and links expire: request a new one, and keep the order.':
    'Cuenta con que tokens y enlaces vencen: solicita uno nuevo, y conserva el pedido.',
  'a day passes before the call, so every link expires':
    'pasa un día antes de la llamada, así que vencen todos los enlaces',
  'starts again with a new link if the old one has expired':
    'empieza otra vez con un enlace nuevo si el anterior venció',
  'the shop is killed and started again': 'la tienda se termina a la fuerza y vuelve a iniciar',
  'finds every order on its disk as it was, and settles the open ones':
    'encuentra en su disco cada pedido como estaba, y resuelve los abiertos',
  'Store each step on the disk before you act on it, in one transaction with what it causes. Start even if a killed server left a lock or a half-written file.':
    'Guarda cada paso en el disco antes de actuar, en una misma transacción con lo que causa. Inicia aunque un servidor terminado a la fuerza haya dejado un bloqueo o un archivo a medias.',
  'transaction {part}': 'transacción {part}',
  'the shop lists {part} of an earlier run, for which the service of this run has no loan':
    'la tienda lista {part:text} de una ejecución anterior, para lo que el servicio de esta ejecución no tiene crédito',
  'a paid order': 'un pedido pagado',
  '{count} paid orders': '{count} pedidos pagados',
  'Keep the database of the shop in the folder that BNPL_RUN_DIR names, for example with SHOP_DATA="$BNPL_RUN_DIR/shop.db" in the command, in --orders and in --settle. Or use --jobs 1, and let the command empty the database when it begins.':
    'Guarda la base de datos de la tienda en la carpeta que nombra BNPL_RUN_DIR, por ejemplo con SHOP_DATA="$BNPL_RUN_DIR/shop.db" en el comando, en --orders y en --settle. O usa --jobs 1, y que el comando vacíe la base de datos al empezar.',
  '{externalTrxId} is not paid, because the service has no loan for it':
    '{externalTrxId} no está pagado, porque el servicio no tiene un crédito para él',
  'the shop listed it as {part}': 'la tienda lo listó como {part:text}',
  paid: 'pagado',
  fulfilled: 'despachado',
  'no verification and no genuine delivery has shown its loan':
    'ninguna verificación ni entrega auténtica mostró su crédito',
  'every verification showed another amount': 'cada verificación mostró otro monto',
  'every verification showed the loan of another transaction':
    'cada verificación mostró el crédito de otra transacción',
  'every verification showed a state that is not ACTIVE': 'cada verificación mostró un estado que no es ACTIVE',
  '{externalTrxId} is fulfilled only once': '{externalTrxId} se despacha una sola vez',
  'the shop listed it as fulfilled {fulfilled} times': 'la tienda lo listó como despachado {fulfilled} veces',
  '{externalTrxId} is paid, because the service has its loan':
    '{externalTrxId} está pagado, porque el servicio tiene su crédito',
  'the shop {part}{settled}': 'la tienda {part:text}{settled:text}',
  'lists it as not paid': 'lo lista como no pagado',
  'does not list it': 'no lo lista',
  '{externalTrxId} is fulfilled, because it is paid and --settle ended with exit code 0':
    '{externalTrxId} está despachado, porque está pagado y --settle terminó con el código de salida 0',
  'the shop never fulfilled it': 'la tienda nunca lo despachó',
  '{externalTrxId} has {amount} in {installments} installments':
    '{externalTrxId} tiene {amount} en {installments} {installments:cuota|cuotas}',
  'the shop lists {part} in {part2} installments': 'la tienda lista {part} en {part2} cuotas',
  'the call {name} is not sent again for {externalTrxId}, because the first call may have been carried out':
    'la llamada {name} no se envía otra vez para {externalTrxId}, porque la primera puede haberse realizado',
  'it was sent {part} more': 'se envió {part:text} más',
  once: 'una vez',
  'the service has {part}, as without the fault': 'el servicio tiene {part:text}, como sin la falla',
  'one loan': 'un crédito',
  '{loans} loans': '{loans} créditos',
  'the service has these loans: {part}': 'el servicio tiene estos créditos: {part}',
  'the delivery about {subject} is answered with 2xx, at the latest when it is sent again':
    'la entrega sobre {subject} se responde con 2xx, a más tardar cuando se envía otra vez',
  'the shop answered {isRefusal}': 'la tienda respondió {isRefusal}',
  'a copy of the delivery about {subject} is answered with 2xx':
    'una copia de la entrega sobre {subject} se responde con 2xx',
  'an event with a wrong signature is answered with 401': 'un evento con firma incorrecta se responde con 401',
  'the shop answered 2xx': 'la tienda respondió 2xx',
  '{where} does not contain {what}': '{where:text} no contiene {what:text}',
  'it contains {what}': 'contiene {what:text}',
  'the command ends': 'el comando termina',
  'it was still running when its time limit was over': 'seguía en marcha cuando se cumplió su tiempo máximo',
  '--settle ends': '--settle termina',
  'the command ends with exit code 0, as without the fault':
    'el comando termina con el código de salida 0, como sin la falla',
  'it ended with exit code {code}': 'terminó con el código de salida {code}',
  'the server of --restart runs until it is killed, and can be started again':
    'el servidor de --restart sigue en marcha hasta que se lo termina, y puede iniciar otra vez',
  '--orders prints the orders as NDJSON and ends with exit code 0':
    '--orders imprime los pedidos como NDJSON y termina con el código de salida 0',
  '{externalTrxId} is not paid yet, because {because}': '{externalTrxId} todavía no está pagado, porque {because:text}',
  ', and --settle ended with exit code {code}': ', y --settle terminó con el código de salida {code}',
  'an API key': 'una clave de API',
  'the secret of a destination': 'el secreto de un destino',
  'a national id': 'un RUT',
  'after the command had ended': 'después de que el comando terminó',
  'after --settle had ended': 'después de que --settle terminó',
  'before the customer had paid': 'antes de que el cliente pagara',
  'the gateway failed': 'la pasarela falló',
  'the answer never arrived': 'la respuesta nunca llegó',
  'after --settle had run with this fault': 'después de que --settle se ejecutó con esta falla',
  'the command of --orders ended with exit code {code}':
    'el comando de --orders terminó con el código de salida {code}',
  'the command of --orders did not end within its time limit':
    'el comando de --orders no terminó dentro de su tiempo máximo',
  'the server ended with exit code {code}, although it was not killed':
    'el servidor terminó con el código de salida {code}, aunque nadie lo terminó',
  'the server did not listen on its port within {part} s': 'el servidor no escuchó en su puerto dentro de {part} s',
  'the server ended with exit code {code} before it listened on its port':
    'el servidor terminó con el código de salida {code} antes de escuchar en su puerto',
  'Use an id that a finding shows, such as cut-after@evaluate.1.':
    'Usa un id que muestre un hallazgo, como cut-after@evaluate.1.',
  'that starts the server of the shop': 'que inicia el servidor de la tienda',
  'of the shop’s reconciliation': 'de la conciliación de la tienda',
  'Add --{sort} with the shell command {what}.': 'Agrega --{sort} con el comando de shell {what:text}.',
  'Copy the whole command line that the finding shows.': 'Copia la línea de comandos completa que muestra el hallazgo.',
  'the command of --restart failed in the run without a fault: {notRunning}':
    'el comando de --restart falló en la ejecución sin falla: {notRunning:text}',
  'Make the server listen on the port in BNPL_RUN_PORT and stay in the foreground.':
    'Haz que el servidor escuche en el puerto de BNPL_RUN_PORT y quede en primer plano.',
  'the shop’s orders could not be read in the run without a fault: {unreadable}':
    'los pedidos de la tienda no se pudieron leer en la ejecución sin falla: {unreadable:text}',
  'Let --orders print a line of JSON for each order: {"externalTrxId":"…","paid":true,"fulfilled":1}':
    'Haz que --orders imprima una línea JSON por cada pedido: {"externalTrxId":"…","paid":true,"fulfilled":1}',
  'the command did not call the service, so there is nothing to torture':
    'el comando no llamó al servicio, así que no hay nada que torturar',
  'Make the command read the address and the key of the service from BNPL_BASE_URL and BNPL_API_KEY.':
    'Haz que el comando lea la dirección y la clave del servicio de BNPL_BASE_URL y BNPL_API_KEY.',
  'the command did not end within its time limit': 'el comando no terminó dentro de su tiempo máximo',
  'the command ended with exit code {code}': 'el comando terminó con el código de salida {code}',
  'the command of --settle did not end within its time limit':
    'el comando de --settle no terminó dentro de su tiempo máximo',
  'the command of --settle ended with exit code {code}':
    'el comando de --settle terminó con el código de salida {code}',
  'in the first run, in which the sandbox causes no fault, {how}, so the runs with faults were not started':
    'en la primera ejecución, en la que el sandbox no causa fallas, {how:text}, así que las ejecuciones con fallas no empezaron',
  'Run the command alone, and correct it until it passes: bnpl sandbox run -- COMMAND':
    'Ejecuta el comando solo, y corrígelo hasta que pase: bnpl sandbox run -- COMMAND',
  'a customer is evaluated again, and the order of the first evaluation is not kept':
    'un cliente se evalúa otra vez, y el pedido de la primera evaluación no se conserva',
  'After an evaluation without a clear answer do not evaluate the customer again by yourself, also not with a new transaction id. Cancel the order, keep it, and let the customer begin again. Store the order before you evaluate, and let `--orders` print every order.':
    'Después de una evaluación sin respuesta clara no evalúes otra vez al cliente por tu cuenta, tampoco con un id de transacción nuevo. Cancela el pedido, consérvalo, y deja que el cliente empiece de nuevo. Guarda el pedido antes de evaluar, y haz que `--orders` imprima todos los pedidos.',
  'In the run without a fault, {returned} of {customers} returned from the payment page to the shop.':
    'En la ejecución sin falla, de la página de pago {returned:volvió|volvieron} a la tienda {returned} de {customers:text}.',
  'So the return page of the shop was not tested. Let your test follow the redirects of the payment page.':
    'Así que la página de vuelta de la tienda no se probó. Haz que tu prueba siga las redirecciones de la página de pago.',
  'the answer was lost': 'la respuesta se perdió',
  'the shop lists an order for {first}, because its evaluation may have been carried out before the customer was evaluated again for the same amount':
    'la tienda lista un pedido para {first}, porque su evaluación puede haberse realizado antes de que el cliente se evaluara otra vez por el mismo monto',
  'the shop lists only {part}': 'la tienda lista solo {part}',
  'before the verification was answered': 'antes de que se respondiera la verificación',
  'Before the customer can pay, store the order with its transaction id. Leave the order open if a verification fails, and also if the customer comes back without a loan, because the customer may try again. Let a reconciliation verify every open order.':
    'Antes de que el cliente pueda pagar, guarda el pedido con su id de transacción. Deja el pedido abierto si una verificación falla, y también si el cliente vuelve sin un crédito, porque puede intentarlo de nuevo. Deja que una conciliación verifique cada pedido abierto.',
  'Check signatures on the raw bytes, as they arrived. `bnpl webhooks verify-signature` shows which form of the body or of the signature matches. If you have no order for a genuine event, answer 2xx. If the shop cannot process it now, answer 503, and never 4xx.':
    'Revisa las firmas sobre los bytes tal como llegaron. `bnpl webhooks verify-signature` muestra qué forma del cuerpo o de la firma coincide. Si no tienes un pedido para un evento auténtico, responde 2xx. Si la tienda no puede procesarlo ahora, responde 503, y nunca 4xx.',
  'a payment is not completed without its event': 'un pago no se completa sin su evento',
}
