import type { Catalogue } from '../packing.ts'

export const sandbox: Catalogue = {
  '--schedule “{text}” is not a list of durations': '--schedule «{text}» no es una lista de duraciones',
  '--kind “{text}” is not a kind of fault': '--kind «{text}» no es un tipo de falla',
  '--status “{text}” is not a status from 400 to 599': '--status «{text}» no es un estado de 400 a 599',
  '--truncate “{text}” is not a number of bytes': '--truncate «{text}» no es una cantidad de bytes',
  '--set “{text}” is not name=value': '--set «{text}» no es nombre=valor',
  '--public-url “{text}” is not the address of a server': '--public-url «{text}» no es la dirección de un servidor',
  '--seed “{text}” is not a seed': '--seed «{text}» no es una semilla',
  '--only “{unknown}” is not a part that can have faults': '--only «{unknown}» no es una parte que pueda tener fallas',
  'show at most this many deliveries': 'muestra como máximo esta cantidad de entregas',
  'show only the deliveries of this event': 'muestra solo las entregas de este evento',
  'set the waiting times before the retries, such as 5s,30s,5m (`none`: no retries)':
    'define las esperas antes de los reintentos, como 5s,30s,5m (`none`: sin reintentos)',
  'From now on there are no retries.': 'Desde ahora no hay reintentos.',
  'From now on, the waiting times before the retries are {part}.':
    'Desde ahora, las esperas antes de los reintentos son {part}.',
  'No deliveries found. Events are sent only to registered destinations.':
    'No hay entregas. Los eventos se envían solo a destinos registrados.',
  Event: 'Evento',
  About: 'Sobre',
  To: 'Destino',
  Attempts: 'Intentos',
  Next: 'Próximo',
  'Event id': 'Id del evento',
  'did my receiver get the event?': '¿recibió mi receptor el evento?',
  'every attempt of one event, with what the receiver answered':
    'cada intento de un evento, con lo que respondió el receptor',
  'retry quickly while developing': 'reintentar rápido durante el desarrollo',
  'List the wait before each retry, such as --schedule 5s,30s,5m. For no retries, use --schedule none.':
    'Indica la espera antes de cada reintento, como --schedule 5s,30s,5m. Sin reintentos: --schedule none.',
  '--schedule has {length} waiting times': '--schedule tiene {length} esperas',
  'Use at most {RETRY_LIMIT} waiting times.': 'Usa como máximo {RETRY_LIMIT} esperas.',
  'the event to deliver again (default: the latest delivery, see --last)':
    'el evento que se entrega otra vez (por defecto: la última entrega, ver --last)',
  'send only to this destination': 'envía solo a este destino',
  'send an event to each of its destinations (default: to those that have not accepted it yet)':
    'envía el evento a cada uno de sus destinos (por defecto: a los que todavía no lo han aceptado)',
  'deliver the last n deliveries again': 'entrega otra vez las últimas n entregas',
  'send each delivery twice': 'envía cada entrega dos veces',
  'send the newest first': 'envía primero la más reciente',
  'wait this long before each delivery': 'espera este tiempo antes de cada entrega',
  'send each delivery with a wrong signature, or with a wrong token if its destination expects a token':
    'envía cada entrega con una firma incorrecta, o con un token incorrecto si el destino espera un token',
  ms: 'ms',
  'is my receiver idempotent?': '¿es idempotente mi receptor?',
  'does my receiver refuse a wrong signature?': '¿rechaza mi receptor una firma incorrecta?',
  'send the last five deliveries again, newest first':
    'enviar otra vez las últimas cinco entregas, la más reciente primero',
  'List the kinds: bnpl sandbox fault kinds': 'Mira los tipos: bnpl sandbox fault kinds',
  'what goes wrong: a kind that `bnpl sandbox fault kinds` explains':
    'lo que falla: un tipo que `bnpl sandbox fault kinds` explica',
  'answer with this status, from 400 to 599, without processing the request':
    'responde con este estado, de 400 a 599, sin procesar la solicitud',
  'with --status: the code in the answer, ERR_… (default: the code documented for the status)':
    'con --status: el código de la respuesta, ERR_… (por defecto: el código documentado para el estado)',
  'with --status: the Retry-After header of the answer, rounded up to whole seconds, or `none` (default: 1s with status 429, else `none`)':
    'con --status: el encabezado Retry-After de la respuesta, redondeado a segundos enteros hacia arriba, o `none` (por defecto: 1s con el estado 429; si no, `none`)',
  'answer after this time': 'responde después de este tiempo',
  'process the request, then close the connection without an answer':
    'procesa la solicitud y cierra la conexión sin responder',
  'with --cut: close the connection before the request is processed':
    'con --cut: cierra la conexión antes de procesar la solicitud',
  'close the connection after this many bytes of the answer’s body':
    'cierra la conexión después de esta cantidad de bytes del cuerpo de la respuesta',
  'start at the n-th call, counted from now': 'empieza en la n-ésima llamada, contada desde ahora',
  'apply the fault to this many calls (default: 1)': 'aplica la falla a esta cantidad de llamadas (por defecto: 1)',
  'apply the fault to every call, until the fault is cleared':
    'aplica la falla a todas las llamadas, hasta que se quite',
  'Remove the fault: bnpl sandbox fault clear {id}': 'Quita la falla: bnpl sandbox fault clear {id}',
  'the service is down for two calls': 'el servicio no responde a dos llamadas',
  'the third verification is rate-limited': 'la tercera verificación supera el límite de llamadas',
  'the loan request is created, but its answer is lost': 'la solicitud de crédito se crea, pero su respuesta se pierde',
  'a report download breaks off': 'la descarga de un informe se interrumpe',
  'the amount of a verified loan is wrong': 'el monto de un crédito verificado es incorrecto',
  'the next event is delivered twice': 'el próximo evento se entrega dos veces',
  'the next customer pays and does not come back': 'el próximo cliente paga y no vuelve',
  'everything is slow': 'todo es lento',
  '“{endpoint}” is not a place where a fault can happen': '«{endpoint}» no es un lugar donde pueda haber una falla',
  'Use a name such as {part}, or one of these words: “any”, “download”, “delivery”, “page”. List the endpoints: bnpl sandbox fault endpoints':
    'Usa un nombre como {part}, o una de estas palabras: «any», «download», «delivery», «page». Lista de endpoints: bnpl sandbox fault endpoints',
  'List the kinds, and what each applies to: bnpl sandbox fault kinds':
    'Mira los tipos, y a qué se aplica cada uno: bnpl sandbox fault kinds',
  'Add --kind KIND, --status N, --delay DURATION, --cut or --truncate BYTES.':
    'Agrega --kind KIND, --status N, --delay DURATION, --cut o --truncate BYTES.',
  'Use a code such as ERR_SOMETHING.': 'Usa un código como ERR_SOMETHING.',
  'See what each option does: bnpl sandbox fault add --help':
    'Mira qué hace cada opción: bnpl sandbox fault add --help',
  'Use the status of an error, such as 503. To change an answer that succeeds, use --kind: bnpl sandbox fault kinds':
    'Usa el estado de un error, como 503. Para cambiar una respuesta exitosa, usa --kind: bnpl sandbox fault kinds',
  'Use a whole number, 0 or more.': 'Usa un número entero, desde 0.',
  'list the active faults': 'mostrar las fallas activas',
  'the id of the fault (default: all faults)': 'el id de la falla (por defecto: todas las fallas)',
  '{cleared} removed': 'quitado: {cleared:text}',
  'remove all faults': 'quitar todas las fallas',
  'remove one fault': 'quitar una falla',
  'the names of the endpoints': 'los nombres de los endpoints',
  Kind: 'Tipo',
  'Applies to': 'Se aplica a',
  'What happens': 'Qué ocurre',
  'list the kinds of faults of calls, of deliveries and of the payment page':
    'mostrar los tipos de fallas de llamadas, de entregas y de la página de pago',
  'add a fault, so that the next calls of an endpoint fail':
    'agrega una falla, para que fallen las próximas llamadas de un endpoint',
  'show the active faults': 'muestra las fallas activas',
  'remove one fault, or all': 'quita una falla, o todas',
  'list the names of the endpoints': 'muestra los nombres de los endpoints',
  'list what can go wrong with a call, a delivery or a payment on the page':
    'muestra lo que puede fallar en una llamada, una entrega o un pago en la página',
  'No fault is active.': 'No hay fallas activas.',
  Endpoint: 'Endpoint',
  Calls: 'Llamadas',
  'What goes wrong': 'Qué falla',
  'after {skip}': 'después de {skip:text}',
  'other call': 'llamada más',
  'the next': 'la próxima',
  'the next {times}': 'las próximas {times}',
  '{part} late': '{part} de atraso',
  'Retry-After {retryAfter}': 'Retry-After {retryAfter}',
  'the request is lost': 'la solicitud se pierde',
  'the answer is lost': 'la respuesta se pierde',
  'cut after {truncate} bytes': 'corte después de {truncate} {truncate:byte|bytes}',
  "the lead's national id (default: an invented one)": 'el RUT del lead (por defecto: uno inventado)',
  "the result of the lead's evaluation": 'el resultado de la evaluación del lead',
  "the lead's project": 'el proyecto del lead',
  'the real-estate account that gets the lead': 'la cuenta inmobiliaria que recibe el lead',
  "how long the lead's evaluation takes, in the sandbox's time":
    'cuánto tarda la evaluación del lead, en la hora del sandbox',
  "finish the lead's evaluation at once": 'termina la evaluación del lead de inmediato',
  Outcome: 'Resultado',
  '{outcome}, when the evaluation is finished': '{outcome:text}, cuando termine la evaluación',
  'not yet': 'todavía no',
  'Finish the evaluation now: {part}': 'Termina la evaluación ahora: {part}',
  'See the lead: {part}': 'Mira el lead: {part}',
  'new_lead is sent now, pre_approve half a minute later': 'new_lead se envía ahora; pre_approve, medio minuto después',
  'both events at once, for a script': 'ambos eventos de una vez, para un script',
  'new risk parameters of the evaluation, or partner=NAME to rename the account':
    'nuevos parámetros de riesgo de la evaluación, o partner=NAME para cambiar el nombre de la cuenta',
  'Nothing changed, because the parameters already had these values. The report stays as it is.':
    'Nada cambió, porque los parámetros ya tenían estos valores. El informe queda como está.',
  'The report has changed. Download it again: {download}': 'El informe cambió. Descárgalo otra vez: {download}',
  'From now on the account has the new name in every report and evaluation.':
    'Desde ahora la cuenta tiene el nombre nuevo en cada informe y evaluación.',
  'a worse score, which changes the report': 'un puntaje peor, que cambia el informe',
  'show a different account name in the reports': 'mostrar otro nombre de cuenta en los informes',
  '--set is not valid: {message}': '--set no es válido: {message:text}',
  'Correct --set, or see all fields of an evaluation: {SHOW_FIELDS}':
    'Corrige --set, o mira todos los campos de una evaluación: {SHOW_FIELDS}',
  'Write a field of the evaluation and its new value, such as puntajeRiesgo=312. To see the fields: {SHOW_FIELDS}':
    'Escribe un campo de la evaluación y su valor nuevo, como puntajeRiesgo=312. Para ver los campos: {SHOW_FIELDS}',
  'your transaction id (of a transaction that was evaluated or has a widget token)':
    'tu id de transacción (de una transacción evaluada o con un token de widget)',
  'the national id that the customer types on the page, if the transaction was not evaluated':
    'el RUT que el cliente escribe en la página, si la transacción no fue evaluada',
  'reject the payment instead of paying': 'rechaza el pago en vez de pagar',
  'pay in this many installments (default: the number that was reported to the service, by your shop or with `bnpl select`; otherwise the first number offered)':
    'paga en esta cantidad de cuotas (por defecto: la cantidad informada al servicio, por tu tienda o con `bnpl select`; si no, la primera ofrecida)',
  'the account of the transaction, if two accounts use the same transaction id':
    'la cuenta de la transacción, si dos cuentas usan el mismo id de transacción',
  'the payment of {externalTrxId} is open at the step {step}, because this test customer leaves the page there':
    'el pago de {externalTrxId} quedó abierto en el paso {step}, porque este cliente de prueba deja la página ahí',
  'the payment of {externalTrxId} was {outcome} ({reason}), because payments of this test customer are always rejected':
    'el pago de {externalTrxId} fue rechazado ({reason}), porque los pagos de este cliente de prueba siempre se rechazan',
  'See what happens to each test customer: bnpl sandbox customers':
    'Mira qué le ocurre a cada cliente de prueba: bnpl sandbox customers',
  '{part} {externalTrxId} is paid in {part2}': '{part} {externalTrxId} está pagada en {part2:text}',
  '{part} the payment of {externalTrxId} was rejected': '{part} el pago de {externalTrxId} fue rechazado',
  'after bnpl evaluate … --trx order-1001': 'después de bnpl evaluate … --trx order-1001',
  'without an evaluation, after bnpl pay-url … --trx order-1001':
    'sin evaluación, después de bnpl pay-url … --trx order-1001',
  'see what your error page shows': 'ver qué muestra tu página de error',
  'your transaction id (of a transaction with a loan)': 'tu id de transacción (de una transacción con crédito)',
  'the number of the installment, from 1. Earlier installments that are open are paid too':
    'el número de la cuota, desde 1. También se pagan las cuotas anteriores que están abiertas',
  'mark the installment as paid': 'marca la cuota como pagada',
  '{paidInstallments} of {periods} of {externalTrxId} {are} paid: {sum}':
    'cuotas pagadas de {externalTrxId}: {paidInstallments} de {periods:text}, {sum}',
  'the customer has paid two installments': 'el cliente pagó dos cuotas',
  'Evaluate the transaction first: {externalTrxId}': 'Evalúa primero la transacción: {externalTrxId}',
  'Pay the transaction first: {part}': 'Paga primero la transacción: {part}',
  'Add --rut with the national id that the customer types: {part}':
    'Agrega --rut con el RUT que el cliente escribe: {part}',
  'the command and its arguments, after --': 'el comando y sus argumentos, después de --',
  'let the payment page pay or reject by itself, depending on the test customer, so that a test needs no browser':
    'deja que la página de pago pague o rechace sola, según el cliente de prueba, para que una prueba no necesite navegador',
  'be this service': 'responde como este servicio',
  'has no effect, because http destinations are always allowed here':
    'no tiene efecto, porque aquí siempre se permiten destinos http',
  'A new sandbox answers at {baseUrl}': 'Un sandbox nuevo responde en {baseUrl}',
  'your tests, against a fresh service': 'tus pruebas, con un servicio recién creado',
  'tests that open the payment page without a browser': 'pruebas que abren la página de pago sin navegador',
  'your tests, against a sandbox that follows the description of a service':
    'tus pruebas, con un sandbox que sigue la descripción de un servicio',
  'a shell for experiments': 'una shell para experimentar',
  'the program “{command}” was not found': 'no se encontró el programa «{command}»',
  '“{command}” cannot be run ({code})': '«{command}» no se puede ejecutar ({code})',
  "also show the keys of the sandbox's accounts": 'muestra también las claves de las cuentas del sandbox',
  Served: 'Servidor',
  'at {baseUrl} by pid {pid}, since {startedAt}': 'en {baseUrl}, proceso {pid}, desde {startedAt}',
  'Payment page': 'Página de pago',
  Production: 'Producción',
  "no: commands with -p sandbox open the sandbox's state directly":
    'no: los comandos con -p sandbox abren directamente el estado del sandbox',
  'Sandbox time': 'Hora del sandbox',
  Evaluations: 'Evaluaciones',
  Loans: 'Créditos',
  Leads: 'Leads',
  Destinations: 'Destinos',
  Requests: 'Llamadas',
  'Rate limit': 'Límite de llamadas',
  Service: 'Servicio',
  Profiles: 'Perfiles',
  'Serve the sandbox over HTTP, with its payment page: bnpl sandbox start':
    'Inicia el sandbox por HTTP, con su página de pago: bnpl sandbox start',
  'is a sandbox running?': '¿está en marcha un sandbox?',
  'the keys of every account': 'las claves de cada cuenta',
  '; left: {part}': '; quedan: {part}',
  '{perSecond} a second': '{perSecond} por segundo',
  '{part} a minute': '{part} por minuto',
  '{burst} calls at once, then {rate}, for each {part}{now}':
    '{burst} llamadas de una vez, luego {rate:text}, por cada {part:text}{now:text}',
  key: 'clave',
  'account and endpoint': 'cuenta y endpoint',
  'only print the link': 'solo imprime el enlace',
  'close the window in every other browser': 'cierra la ventana en todos los otros navegadores',
  'close it in every other browser': 'cerrarla en todos los otros navegadores',
  'no sandbox is served on this machine': 'no hay un sandbox en marcha en este equipo',
  'Start the sandbox: bnpl sandbox start --open': 'Inicia el sandbox: bnpl sandbox start --open',
  'The window is open in your browser.': 'La ventana está abierta en tu navegador.',
  'The link works only once. To get another link, run: bnpl sandbox open':
    'El enlace sirve una sola vez. Para obtener otro: bnpl sandbox open',
  'watch what your program does': 'mirar lo que hace tu programa',
  'the link, for a browser of your choice': 'el enlace, para el navegador que prefieras',
  "move the sandbox's time ahead, so that tokens and links expire, and evaluations and retries become due":
    'adelanta la hora del sandbox, para que venzan tokens y enlaces, y lleguen evaluaciones y reintentos',
  'such as 11m, 2h or 7d': 'como 11m, 2h o 7d',
  'the customers pay every installment that is due then': 'los clientes pagan cada cuota que vence hasta entonces',
  'a duration of 0 does not move the clock': 'una duración de 0 no mueve la hora',
  'Give a duration such as 11m.': 'Indica una duración como 11m.',
  'let a widget token expire': 'dejar que venza un token de widget',
  'let a report link expire': 'dejar que venza el enlace de un informe',
  'a month later, with the installments paid': 'un mes después, con las cuotas pagadas',
  "the sandbox's time": 'la hora del sandbox',
  'move the time eleven minutes ahead': 'adelantar la hora once minutos',
  "this machine's time": 'la hora de este equipo',
  '{aheadMs} ahead of this machine': '{aheadMs} más que la de este equipo',
  Fault: 'Falla',
  'show at most this many requests': 'muestra como máximo esta cantidad de llamadas',
  'No requests yet.': 'Todavía no hay llamadas.',
  At: 'Hora',
  Request: 'Llamada',
  'the requests of your program': 'las llamadas de tu programa',
  'one request, with its masked bodies': 'una llamada, con sus cuerpos enmascarados',
  'All other valid national ids are approved.': 'Todos los demás RUT válidos quedan aprobados.',
  'national ids for your tests': 'RUT para tus pruebas',
  'all payments, leads, destinations, requests and faults of the sandbox':
    'todos los pagos, leads, destinos, llamadas y fallas del sandbox',
  'The sandbox is empty and has the time of this machine.': 'El sandbox está vacío y tiene la hora de este equipo.',
  'Its accounts, keys and settings were kept.': 'Se conservaron sus cuentas, claves y configuración.',
  'The webhook destinations were deleted too. If a listener runs, start it again: it receives no events until then.':
    'También se borraron los destinos de webhooks. Si hay un receptor en marcha, reinícialo: hasta entonces no recibe eventos.',
  'empty the sandbox before a test run': 'vaciar el sandbox antes de una prueba',
  'serve the whole service on this machine': 'inicia el servicio completo en este equipo',
  "open the sandbox's window in the browser: payments, requests, webhooks, controls":
    'abre la ventana del sandbox en el navegador: pagos, llamadas, webhooks, controles',
  'run a command against a new, separate sandbox': 'ejecuta un comando con un sandbox nuevo y separado',
  'run a test of your shop once for every possible fault, and report what breaks':
    'ejecuta una prueba de tu tienda una vez por cada falla posible, e informa qué se rompe',
  'show where the sandbox runs and how much it contains': 'muestra dónde está en marcha el sandbox y cuánto contiene',
  'pay a transaction, as its customer would on the payment page':
    'paga una transacción, como su cliente en la página de pago',
  'pay installments of a loan, as its customer would': 'paga cuotas de un crédito, como su cliente',
  'change risk parameters of an evaluation, so that its report changes':
    'cambia parámetros de riesgo de una evaluación, para que su informe cambie',
  'list the test customers, whose national id decides what happens':
    'muestra los clientes de prueba, cuyo RUT decide lo que ocurre',
  "show the sandbox's time, or move it ahead": 'muestra la hora del sandbox, o la adelanta',
  'make calls, deliveries and payments fail, with late, lost or wrong answers':
    'hace fallar llamadas, entregas y pagos, con respuestas tardías, perdidas o incorrectas',
  'show the latest calls, newest first': 'muestra las últimas llamadas, la más reciente primero',
  'show deliveries to webhook destinations, with every attempt':
    'muestra las entregas a destinos de webhooks, con cada intento',
  'deliver events again: twice, late, out of order, or with a wrong signature':
    'entrega eventos otra vez: dos veces, tarde, en desorden o con una firma incorrecta',
  'show what changed since a snapshot, and what caused each change':
    'muestra qué cambió desde una instantánea, y qué causó cada cambio',
  'save states of the sandbox and restore them': 'guarda estados del sandbox y los recupera',
  'delete all payments, leads, destinations, requests and faults':
    'borra todos los pagos, leads, destinos, llamadas y fallas',
  'These commands and -p sandbox use the running sandbox of the state folder (BNPL_STATE_DIR). If no sandbox runs, they use the state in a file of that folder.':
    'Estos comandos y -p sandbox usan el sandbox en marcha de la carpeta de estado (BNPL_STATE_DIR). Si no hay ninguno en marcha, usan el estado que está en un archivo de esa carpeta.',
  'the database answers again, so the sandbox can answer every call again':
    'la base de datos responde de nuevo, así que el sandbox puede responder otra vez cada llamada',
  '{message}; calls that need the database are answered with 503 until it can be used again.{hint}':
    '{message:text}; las llamadas que necesitan la base de datos reciben 503 hasta que se pueda usar de nuevo.{hint:text}',
  'the sandbox itself failed: {error}': 'falló el propio sandbox: {error:text}',
  'the sandbox has no active BNPL account': 'el sandbox no tiene una cuenta BNPL activa',
  '“{given}” is not a valid snapshot name': '«{given}» no es un nombre válido de instantánea',
  'Use letters, digits, dots, dashes and underscores, or a path such as ./paid.db.':
    'Usa letras, dígitos, puntos, guiones y guiones bajos, o una ruta como ./paid.db.',
  'a name for the snapshot, or a path such as ./paid.db': 'un nombre para la instantánea, o una ruta como ./paid.db',
  'replace a snapshot that exists': 'reemplaza una instantánea que existe',
  '{file} already exists': '{file} ya existe',
  'Add --force to replace the file.': 'Agrega --force para reemplazar el archivo.',
  'Saved in {file}': 'Guardado en {file}',
  'Return to this state later: {part}': 'Vuelve a este estado más tarde: {part}',
  'save the state before a change that cannot be undone':
    'guardar el estado antes de un cambio que no se puede deshacer',
  'save a fixture for your tests': 'guardar un estado inicial para tus pruebas',
  'the file {file} does not exist': 'el archivo {file} no existe',
  'List the snapshots with: bnpl sandbox snapshot list': 'Mira las instantáneas: bnpl sandbox snapshot list',
  'the snapshot’s name, or the path of its file': 'el nombre de la instantánea, o la ruta de su archivo',
  'the current state of the sandbox': 'el estado actual del sandbox',
  'The sandbox now has the state of {file}': 'El sandbox tiene ahora el estado de {file}',
  'The accounts now have the keys of the snapshot; the previous keys no longer work.':
    'Las cuentas tienen ahora las claves de la instantánea; las claves anteriores ya no sirven.',
  'return to a saved state': 'volver a un estado guardado',
  'start a test from a fixture': 'empezar una prueba desde un estado inicial',
  'No snapshots yet. Save a snapshot: bnpl sandbox snapshot save NAME':
    'Todavía no hay instantáneas. Guarda una: bnpl sandbox snapshot save NAME',
  'Saved at': 'Guardada',
  Size: 'Tamaño',
  'list the saved states': 'muestra los estados guardados',
  'the saved states': 'los estados guardados',
  'save the state under a name, or in a file': 'guarda el estado con un nombre, o en un archivo',
  'replace the current state with a saved one': 'reemplaza el estado actual con uno guardado',
  'show the changes since this snapshot (a name or a path)':
    'muestra los cambios desde esta instantánea (un nombre o una ruta)',
  'list at most this many calls and other causes of changes, the latest first':
    'muestra como máximo esta cantidad de llamadas y otras causas de cambios, las últimas primero',
  'leave out the calls that changed nothing': 'omite las llamadas que no cambiaron nada',
  'Only the latest {length} of {total} rows are listed. See all of them: --limit {total2}':
    'Se {length:muestra solo la última fila|muestran solo las últimas filas} ({length} de {total}). Míralas todas: --limit {total2}',
  'Return to the snapshot: {part}': 'Vuelve a la instantánea: {part}',
  'save a snapshot before your program runs': 'guardar una instantánea antes de ejecutar tu programa',
  'list what your program has changed since the snapshot': 'mostrar lo que tu programa cambió desde la instantánea',
  'print the old and the new value of every changed field':
    'mostrar el valor anterior y el nuevo de cada campo que cambió',
  'there is no snapshot “{MARK}” to compare the sandbox with':
    'no hay una instantánea «{MARK}» con la cual comparar el sandbox',
  'Save the snapshot before your program runs: bnpl sandbox snapshot save {MARK}':
    'Guarda la instantánea antes de ejecutar tu programa: bnpl sandbox snapshot save {MARK}',
  'Since {at}: {requests}, {changes}.': 'Desde {at}: {requests:text}, {changes:text}.',
  'Nothing has changed.': 'Nada cambió.',
  Cause: 'Causa',
  Changed: 'Cambió',
  'the customer': 'el cliente',
  'the evaluation of a lead was due': 'llegó la hora de la evaluación de un lead',
  'a control in the window, or a command': 'un control de la ventana, o un comando',
  'another delivery attempt': 'otro intento de entrega',
  'a reset or a loaded snapshot': 'un reinicio o una instantánea recuperada',
  'a request that is not in the log, such as a download': 'una llamada que no está en el registro, como una descarga',
  cut: 'corte',
  'listen on this port (default: 4555); 0 for any free port':
    'escucha en este puerto (por defecto: 4555); 0: cualquier puerto libre',
  'interface to listen on': 'interfaz en la que escucha',
  'also answer requests with these names in the Host header (name or name:port)':
    'responde también llamadas con estos nombres en el encabezado Host (nombre o nombre:puerto)',
  'address at which other machines reach this server, such as the address of a proxy; links to reports begin with this address':
    'dirección con la que otros equipos llegan a este servidor, como la de un proxy; los enlaces de los informes empiezan con ella',
  'store the state of the sandbox in this file': 'guarda el estado del sandbox en este archivo',
  'keep the state in memory; it is lost when the sandbox stops':
    'mantiene el estado en memoria; se pierde cuando el sandbox termina',
  'write a JSON line with the addresses and keys to this file as soon as the server accepts requests':
    'escribe en este archivo una línea JSON con las direcciones y claves, apenas el servidor acepta llamadas',
  'also accept webhook destinations on this machine, with http or https':
    'acepta también destinos de webhooks en este equipo, con http o https',
  "open the sandbox's window in the browser": 'abre la ventana del sandbox en el navegador',
  'serve the sandbox until Ctrl-C': 'dejar el sandbox en marcha hasta Ctrl-C',
  'in CI: any free port, no state kept': 'en CI: cualquier puerto libre, sin guardar estado',
  'for a team, behind a proxy': 'para un equipo de trabajo, detrás de un proxy',
  'follow the description of a service': 'seguir la descripción de un servicio',
  'in a container network': 'en una red de contenedores',
  'Another sandbox already runs at {baseUrl}. Other bnpl commands continue to use that sandbox. To use the new sandbox, take the address and keys that this command shows.':
    'Ya hay otro sandbox en marcha en {baseUrl}. Los otros comandos bnpl siguen usando ese. Para usar el nuevo, toma la dirección y las claves que muestra este comando.',
  'Other machines can reach the sandbox too. Everybody who reaches it can use the keys shown here.':
    'Otros equipos también llegan al sandbox. Cualquiera que llegue puede usar las claves que se muestran aquí.',
  '; to get another link, run bnpl sandbox open': '; para obtener otro enlace, ejecuta bnpl sandbox open',
  'The window’s link works only once{another}. Ctrl-C stops the sandbox.':
    'El enlace de la ventana sirve una sola vez{another:text}. Ctrl-C detiene el sandbox.',
  '{path} is not the data of a sandbox': '{path} no contiene los datos de un sandbox',
  'Name another file with --data.': 'Indica otro archivo con --data.',
  'Use an address without a path, such as https://sandbox.example':
    'Usa una dirección sin ruta, como https://sandbox.example',
  'a report of bnpl sandbox torture': 'un informe de bnpl sandbox torture',
  'a badge of bnpl sandbox torture': 'una insignia de bnpl sandbox torture',
  'none: this is the run without a fault': 'ninguna: esta es la ejecución sin falla',
  '{length} with {length2}': '{length:text} con {length2:text}',
  'What to do': 'Qué hacer',
  'The shop': 'La tienda',
  Again: 'Otra vez',
  'not reached': 'no llegó',
  '{length} did not reach the shop, and count neither way.':
    'No se cuenta ni a favor ni en contra, porque no llegó a la tienda: {length:text}.',
  '{length} accepted as known: {part}.': 'Se acepta como conocido: {length:text}: {part}.',
  'The torture was ended before its last run.': 'La tortura terminó antes de su última ejecución.',
  'the command and its arguments, after --; the command must make at least one payment':
    'el comando y sus argumentos, después de --; el comando debe hacer al menos un pago',
  'a shell command that prints the orders of the shop as NDJSON':
    'un comando de shell que imprime los pedidos de la tienda como NDJSON',
  'a shell command that runs the shop’s own reconciliation. bnpl runs the reconciliation after the command, and then lists the orders again':
    'un comando de shell que ejecuta la conciliación de la propia tienda. bnpl la ejecuta después del comando, y luego lista los pedidos otra vez',
  'a shell command that starts the server of the shop, so that bnpl can kill and restart the server':
    'un comando de shell que inicia el servidor de la tienda, para que bnpl lo pueda terminar y volver a iniciar',
  'try only the faults of these parts: {part} (default: all)':
    'prueba solo las fallas de estas partes: {part} (por defecto: todas)',
  'a number that decides which faults are tried with --limit, and which ids the sandboxes create':
    'un número que decide qué fallas se prueban con --limit, y qué ids crean los sandboxes',
  'try only this many faults: each fault once, then at other places; --seed decides the order':
    'prueba solo esta cantidad de fallas: cada falla una vez, luego en otros lugares; --seed decide el orden',
  'time limit for the command; the same limit applies to --settle and to --orders (default: derived from the run without a fault)':
    'tiempo máximo del comando; también vale para --settle y --orders (por defecto: se deduce de la ejecución sin falla)',
  'repeat only the run with this id, such as cut-after@evaluate.1; each finding shows its id':
    'repite solo la ejecución con este id, como cut-after@evaluate.1; cada hallazgo muestra su id',
  'make each run with a fault this many times, to find mistakes that depend on chance':
    'hace cada ejecución con falla esta cantidad de veces, para encontrar errores que dependen del azar',
  'leave out the known findings in this file: on each line, the id of a run and an invariant':
    'omite los hallazgos conocidos de este archivo: en cada línea, el id de una ejecución y un invariante',
  'also write the runs as a JUnit report': 'escribe además las ejecuciones como reporte JUnit',
  'also write the report as an HTML page that needs no other file':
    'escribe además el reporte como una página HTML que no necesita otro archivo',
  'also write the result as an SVG image for a README': 'escribe además el resultado como imagen SVG para un README',
  'try every fault; the shop reads the path of its database from SHOP_DATA':
    'probar cada falla; la tienda lee la ruta de su base de datos de SHOP_DATA',
  'in CI: try only 50 of the faults, and run the shop’s reconciliation':
    'en CI: probar solo 50 de las fallas, y ejecutar la conciliación de la tienda',
  'also kill the server of the shop, and start it again':
    'además terminar el servidor de la tienda y volver a iniciarlo',
  'repeat the run of one finding': 'repetir la ejecución de un hallazgo',
  '--run and --limit cannot be used together, because --run makes only one run':
    '--run y --limit no se pueden usar juntas, porque --run hace una sola ejecución',
  'Remove --run or --limit.': 'Quita --run o --limit.',
  'the file of --accept cannot be read: {given} ({error})':
    'no se puede leer el archivo de --accept: {given} ({error:text})',
  'Create the file, with a line such as: cut-after@evaluate.1 second-evaluation':
    'Crea el archivo, con una línea como: cut-after@evaluate.1 second-evaluation',
  'line {accepted} of {given} is not a finding': 'la línea {accepted} de {given} no es un hallazgo',
  'Write the id of a run and an invariant, such as: cut-after@evaluate.1 second-evaluation':
    'Escribe el id de una ejecución y un invariante, como: cut-after@evaluate.1 second-evaluation',
  'Use a whole number from 0 to 4294967295.': 'Usa un número entero de 0 a 4294967295.',
  'Use some of: {part}': 'Usa algunas de estas: {part}',
  'Seed {seed}, {part} at a time': 'Semilla {seed}, {part:text} a la vez',
  'one run': 'una ejecución',
  'the run without a fault': 'la ejecución sin falla',
  'a sandbox failed: {part}': 'falló un sandbox: {part}',
  'The last lines of the output of the command:': 'Las últimas líneas de la salida del comando:',
  '{done}/{all} runs': '{done}/{all} {all:ejecución|ejecuciones}',
  'Without --orders these invariants could not be checked: {part}.':
    'Sin --orders no se pudieron revisar estos invariantes: {part}.',
  '{alike} more {part} not shown, because the run without a fault breaks the same invariant. Correct the shop until that run has no finding.':
    '{alike} más no se muestran, porque la ejecución sin falla rompe el mismo invariante. Corrige la tienda hasta que esa ejecución no tenga hallazgos.',
  '{length} did not happen, or reached no running shop, so {part} nothing about it: {part2}. If the test ends before a late event arrives, start the shop’s server with --restart.':
    'Sin ocurrir, o sin llegar a una tienda en marcha: {length:text} ({part2}). Por eso no {part:text} nada de ella. Si la prueba termina antes de que llegue un evento tardío, inicia el servidor de la tienda con --restart.',
  'The command does not always make the same number of calls, so the fault was not used in some runs: {part}.':
    'El comando no siempre hace la misma cantidad de llamadas, así que la falla no se usó en algunas ejecuciones: {part}.',
  '{length} of --accept {part} not shown: {part2}.': 'De --accept no se muestra: {part2} ({length:text}).',
  'After an evaluation of unknown outcome, the same customer was evaluated again for the same amount with a new transaction, in {length}: {part}. This is right if your test’s customer began again. It is a mistake if the shop did it by itself.':
    'Después de una evaluación de resultado desconocido, el mismo cliente fue evaluado otra vez por el mismo monto con una transacción nueva, en {length:text}: {part}. Es correcto si el cliente de tu prueba empezó de nuevo. Es un error si la tienda lo hizo por sí misma.',
  'The run without a fault made no payment, so few faults could be tried.':
    'La ejecución sin falla no hizo ningún pago, así que pocas fallas se pudieron probar.',
  'no fault reached the shop, so nothing was checked': 'ninguna falla llegó a la tienda, así que no se revisó nada',
  'Start the shop’s server with --restart, so that it also runs after the test has ended.':
    'Inicia el servidor de la tienda con --restart, para que siga en marcha cuando la prueba terminó.',
  'Run the command line of a finding to repeat only that run.':
    'Ejecuta la línea de comandos de un hallazgo para repetir solo esa ejecución.',
  'the fault did not reach the shop': 'la falla no llegó a la tienda',
  'no invariant is broken': 'ningún invariante está roto',
  'Tried {part} of {faults}, each in its own run, after a run without a fault: {found}':
    'Se probaron {part:text} de {faults:text}, cada una en su propia ejecución, después de una ejecución sin falla: {found:text}',
  'what to do': 'qué hacer',
  'found by': 'ejecución',
  'The command is run once without a fault. Then it is run once for every fault of every call, every delivery and every visit of the payment page in that run.':
    'El comando se ejecuta una vez sin falla. Luego se ejecuta una vez por cada falla de cada llamada, cada entrega y cada visita de la página de pago de esa ejecución.',
  'Every run has a new sandbox (BNPL_BASE_URL, BNPL_API_KEY and the other variables of `bnpl sandbox run`) and a new folder, which BNPL_RUN_DIR names. Keep the database of the shop in that folder, so that no run lists the orders of another run. With --jobs 1, only one run is made at a time.':
    'Cada ejecución tiene un sandbox nuevo (BNPL_BASE_URL, BNPL_API_KEY y las otras variables de `bnpl sandbox run`) y una carpeta nueva, que BNPL_RUN_DIR nombra. Guarda ahí la base de datos de la tienda, para que ninguna ejecución liste los pedidos de otra. Con --jobs 1 se hace una sola ejecución a la vez.',
  '--orders prints a line of JSON for each order of the shop:':
    '--orders imprime una línea JSON por cada pedido de la tienda:',
  '(--json shows its keys)': '(--json muestra sus claves)',
  Window: 'Ventana',
  Customers: 'Clientes',
  'Try it': 'Pruébalo',
  '{part} (after running the lines below)': '{part} (después de ejecutar las líneas de abajo)',
  'All accounts': 'Todas las cuentas',
  Webhooks: 'Webhooks',
  'add --json for the production keys': 'agrega --json para las claves de producción',
  'evaluation module': 'módulo de evaluación',
  'no evaluation module': 'sin módulo de evaluación',
  'Public key': 'Clave pública',
  'ten minutes': 'diez minutos',
  'ten years': 'diez años',
  Approved: 'Aprobado',
  'is offered every option, and the payment is approved': 'recibe todas las opciones, y el pago se aprueba',
  'Not approved': 'No aprobado',
  'is refused at the evaluation with 422 ERR_CUSTOMER_NOT_APPROVED':
    'se rechaza en la evaluación con 422 ERR_CUSTOMER_NOT_APPROVED',
  'Signature fails': 'Falla la firma',
  'is approved, but the signature of the documents fails': 'queda aprobado, pero falla la firma de los documentos',
  'Authentication only': 'Solo autenticación',
  'is asked for a code at once: 123456 fails, other six digits pass':
    'recibe de inmediato la solicitud de un código: 123456 falla, otros seis dígitos pasan',
  'Active loan': 'Crédito activo',
  'is approved, but has an active loan, so the payment is rejected':
    'queda aprobado, pero tiene un crédito activo: el pago se rechaza',
  'Few options': 'Pocas opciones',
  'is offered only the option with 3 installments': 'recibe solo la opción de 3 cuotas',
  Slow: 'Lento',
  'is approved, after 5 seconds': 'queda aprobado, después de 5 segundos',
  'Service error': 'Error del servicio',
  'cannot be evaluated, because each attempt is answered with 503':
    'no se puede evaluar, porque cada intento recibe 503',
  'Rate limited': 'Límite de llamadas',
  'gets one 429 for each transaction (Retry-After: 2), then is approved':
    'recibe un 429 por transacción (Retry-After: 2), luego queda aprobado',
  'Payment rejected': 'Pago rechazado',
  'is approved, but the payment on the page is rejected': 'queda aprobado, pero el pago en la página se rechaza',
  'Leaves at the options': 'Se va en las opciones',
  'leaves the page at the options (READY_FOR_LOAN)': 'deja la página en las opciones (READY_FOR_LOAN)',
  'Leaves at the subscription': 'Se va en la suscripción',
  'leaves at the set-up of automatic payment (PAYMENT_SUBSCRIPTION)':
    'deja la página al activar el pago automático (PAYMENT_SUBSCRIPTION)',
  'Leaves at the authorization': 'Se va en la autorización',
  'leaves at the signature or code (AUTHORIZATION)': 'deja la página en la firma o el código (AUTHORIZATION)',
  'the sandbox is closed': 'el sandbox está cerrado',
  'Use the sandbox before you close it, or start another sandbox.': 'Usa el sandbox antes de cerrarlo, o inicia otro.',
  'a sandbox already runs on this state folder: pid {pid}, {baseUrl}':
    'ya hay un sandbox en marcha en esta carpeta de estado: proceso {pid}, {baseUrl}',
  'Use that sandbox (-p sandbox), stop it ({pid}), or start another sandbox, in memory (--ephemeral) or with its own state folder (BNPL_STATE_DIR).':
    'Usa ese sandbox (-p sandbox), detenlo ({pid}), o inicia otro, en memoria (--ephemeral) o con su propia carpeta de estado (BNPL_STATE_DIR).',
  'the state folder {stateDir} cannot be written: {why}':
    'no se puede escribir en la carpeta de estado {stateDir}: {why:text}',
  'Set BNPL_STATE_DIR to another folder.': 'Define BNPL_STATE_DIR con otra carpeta.',
  'stopped before it answered': 'terminó antes de responder',
  'the sandbox at {baseUrl} {why}; the action may have been carried out':
    'el sandbox en {baseUrl} {why:text}; la acción puede haberse realizado',
  'Check whether the sandbox still runs: bnpl sandbox status':
    'Revisa si el sandbox sigue en marcha: bnpl sandbox status',
  'the sandbox answered {status}': 'el sandbox respondió {status}',
  'the sandbox is bound to {baseUrl}, but it cannot reach itself at that address':
    'el sandbox escucha en {baseUrl}, pero no puede conectarse consigo mismo en esa dirección',
  'Choose another port with --port N. A firewall or another program may block this port.':
    'Elige otro puerto con --port N. Un firewall u otro programa puede bloquear este puerto.',
  'the body is larger than {mostBytes} bytes': 'el cuerpo es mayor que {mostBytes} bytes',
  'the body comes in thousands of chunks of a few bytes': 'el cuerpo llega en miles de trozos de pocos bytes',
  '{name} must be a text that is not empty': '{name} debe ser un texto que no esté vacío',
  '{name} must be a whole number, at least {min}': '{name} debe ser un número entero, al menos {min}',
  '{name} is more than {words}': '{name} es más que {words:text}',
  '{name} must be true or false': '{name} debe ser true o false',
  'url must be a loopback address, such as http://127.0.0.1:4556/webhooks':
    'url debe ser una dirección de este equipo, como http://127.0.0.1:4556/webhooks',
  'apiKey does not belong to an account': 'apiKey no pertenece a ninguna cuenta',
  'this account is inactive': 'esta cuenta está inactiva',
  'this account has no evaluation module, so it receives no events':
    'esta cuenta no tiene módulo de evaluación, así que no recibe eventos',
  'this account already has {DESTINATION_LIMIT} destinations': 'esta cuenta ya tiene {DESTINATION_LIMIT} destinos',
  'there is no delivery': 'no hay ninguna entrega',
  'the event {eventId} has no delivery': 'el evento {eventId} no tiene entregas',
  '{what} to send again': '{what:text} para enviar otra vez',
  'these deliveries did not go to {to}': 'estas entregas no fueron a {to}',
  'the destinations of these deliveries were deleted': 'los destinos de estas entregas fueron borrados',
  'a schedule (stepsMs) is a list of at most {RETRY_LIMIT} waiting times, each of at most {words}':
    'un calendario (stepsMs) es una lista de {RETRY_LIMIT} esperas como máximo, cada una de {words:text} como máximo',
  combination: 'combinación',
  'a call': 'una llamada',
  'the payment page': 'la página de pago',
  'a delivery': 'una entrega',
  '{part} cannot be used for {where}; the kind must be one of: {part2}':
    '{part:text} no se puede usar para {where:text}; el tipo debe ser uno de: {part2}',
  kind: 'tipo',
  'a fault of {where} needs {part}': 'una falla de {where:text} necesita {part}',
  '{ofCalls} is for calls, so it cannot be used for {where}':
    '{ofCalls} es para llamadas, así que no se puede usar para {where:text}',
  '{part} is only for calls and deliveries': '{part} es solo para llamadas y entregas',
  'this fault has no effect, because it has none of these: {part}':
    'esta falla no tiene efecto, porque no tiene nada de esto: {part}',
  effect: 'efecto',
  '{part} cannot be combined with {part2}': '{part} no se puede combinar con {part2}',
  '{part} needs {part2}': '{part} necesita {part2}',
  '{part} must have 2 to 80 capital letters, digits or “_”, and begin with a letter':
    '{part} debe tener de 2 a 80 letras mayúsculas, dígitos o «_», y empezar con una letra',
  'no fault {id} is active': 'no hay una falla {id} activa',
  'endpoint must be one of: {part}': 'endpoint debe ser uno de: {part}',
  'the field “{field}”': 'el campo «{field}»',
  'the kind of this fault must be one of: {part}': 'el tipo de esta falla debe ser uno de: {part}',
  'status must be from 400 to 599': 'status debe ser de 400 a 599',
  '{part} is not in the form that bnpl proxy sends': '{part} no está en la forma que envía bnpl proxy',
  'the evaluation is not available': 'la evaluación no está disponible',
  'externalTrxId is missing': 'falta externalTrxId',
  'the transaction was evaluated for another customer, so the payment page does not ask for a national id':
    'la transacción fue evaluada para otro cliente, así que la página de pago no pide un RUT',
  'the transaction has no evaluation, so the payment page asks for the national id of the customer':
    'la transacción no tiene evaluación, así que la página de pago pide el RUT del cliente',
  'installments must be one of: {offered}': 'installments debe ser uno de: {offered}',
  'the customer of this transaction was not approved': 'el cliente de esta transacción no fue aprobado',
  'no transaction with this id can be paid yet; evaluate the transaction, or create a widget token for it':
    'todavía no se puede pagar una transacción con este id; evalúa la transacción, o crea un token de widget para ella',
  'transaction {externalTrxId} is already paid': 'la transacción {externalTrxId} ya está pagada',
  'period is missing': 'falta period',
  'the loan of this transaction is already cancelled': 'el crédito de esta transacción ya está anulado',
  'the loan has only {periods} installments': 'el crédito tiene solo {periods} {periods:cuota|cuotas}',
  'outcome must be approved or rejected': 'outcome debe ser approved o rejected',
  '{name} is a BNPL account, but only real-estate accounts have leads':
    '{name} es una cuenta BNPL, pero solo las cuentas inmobiliarias tienen leads',
  'the check digit of rut is wrong: for this number it is {expected}':
    'el dígito verificador de rut está mal: para este número es {expected}',
  'rut is not a RUT such as 12345678-5': 'rut no es un RUT como 12345678-5',
  'advanceMs is missing': 'falta advanceMs',
  'nonce is missing': 'falta nonce',
  '{CONTROL_TOKEN_HEADER} is missing or wrong': '{CONTROL_TOKEN_HEADER} falta o es incorrecto',
  'a control action must be sent with POST': 'una acción de control se envía con POST',
  'this control action does not exist; the actions are: {part}':
    'esta acción de control no existe; las acciones son: {part}',
  'preApproveId is missing': 'falta preApproveId',
  'the field “parameters” is missing; send an object with the names of parameters and their new values':
    'falta el campo «parameters»; envía un objeto con los nombres de los parámetros y sus valores nuevos',
  'the sandbox has no pre-approval with this id': 'el sandbox no tiene una pre-aprobación con este id',
  '{ACCOUNT_NAME} must be a name of 1 to 100 visible characters':
    '{ACCOUNT_NAME} debe ser un nombre de 1 a 100 caracteres visibles',
  'another account already has the name {name}': 'otra cuenta ya tiene el nombre {name}',
  'there is no parameter {name}; the parameters are: {part}':
    'no existe el parámetro {name}; los parámetros son: {part}',
  '{name} must be a number': '{name} debe ser un número',
  'the field “file” is missing': 'falta el campo «file»',
  'name must have 1 to 100 letters, digits, “_”, “.” or “-”; it must not begin with “.” or “-”, or end with .db':
    'name debe tener de 1 a 100 letras, dígitos, «_», «.» o «-»; no debe empezar con «.» o «-», ni terminar en .db',
  '{hostname} leads only to private addresses': '{hostname} lleva solo a direcciones privadas',
  '{file} cannot be the snapshot, because the sandbox keeps its state in this file':
    '{file} no puede ser la instantánea, porque el sandbox guarda su estado en este archivo',
  '{what}: the folder {file} does not exist': '{what:text}: la carpeta {file} no existe',
  'no folder can be created in {tmpdir}': 'no se puede crear una carpeta en {tmpdir}',
  '{file} is not a snapshot of a sandbox: {why}': '{file} no es una instantánea de un sandbox: {why:text}',
  '{file} is not a file': '{file} no es un archivo',
  '{file} cannot be copied to {tmpdir}': '{file} no se puede copiar a {tmpdir}',
  '{what} while the sandbox ran. No data is saved any more':
    '{what:text} mientras el sandbox estaba en marcha. Ya no se guarda ningún dato',
  'Start the sandbox again.': 'Inicia el sandbox otra vez.',
  'a newer bnpl has changed the sandbox’s data (the data has version {version}, but this bnpl knows only version {known})':
    'un bnpl más nuevo cambió los datos del sandbox (tienen la versión {version}, pero este bnpl conoce solo hasta la {known})',
  'Start the sandbox again with the newer version of bnpl.':
    'Inicia el sandbox otra vez con la versión más nueva de bnpl.',
  are: 'son',
  'The command gets the address and the keys of the sandbox in BNPL_BASE_URL, BNPL_PAYMENT_URL, BNPL_API_KEY, BNPL_PUBLIC_KEY and BNPL_ENTITY_ID. The exit code is that of the command (127: the command does not exist, 126: it cannot be run). Webhook destinations can be on this machine, by http or https; deliveries are signed with BNPL_WEBHOOK_SECRET. The sandbox leaves no files behind. The command gets your environment without the variables of a real account.':
    'El comando recibe la dirección y las claves del sandbox en BNPL_BASE_URL, BNPL_PAYMENT_URL, BNPL_API_KEY, BNPL_PUBLIC_KEY y BNPL_ENTITY_ID. El código de salida es el del comando (127: el comando no existe, 126: no se puede ejecutar). Los destinos de webhooks pueden estar en este equipo, por http o https; las entregas se firman con BNPL_WEBHOOK_SECRET. El sandbox no deja archivos. El comando recibe tu ambiente sin las variables de una cuenta real.',
  'PGPASSWORD is also left out if it is the password of the database in BNPL_DATABASE.':
    'También se omite PGPASSWORD si es la contraseña de la base de datos de BNPL_DATABASE.',
  'make this many runs at the same time (default: one for each processor, and more while the processors are idle)':
    'hace esta cantidad de ejecuciones a la vez (por defecto: una por procesador, y más mientras haya procesadores libres)',
  'finding is': 'hallazgo no se muestra',
  'findings are': 'hallazgos no se muestran',
  'it says': 'dice',
  'they say': 'dicen',
  'known finding': 'hallazgo conocido',
  '“fulfilled” counts how often the order was shipped. If a line contains "amount" or "installments", the value is compared with the loan. A shop with refunds adds "refunded":true to an order that is refunded, and then "paid" is false. After the processes of the command have ended, --orders runs. If --settle is given, --settle runs then, and after it --orders runs again. If the exit code of --settle is not 0, it runs a second time. In some runs, --orders also runs while the command is running.':
    '«fulfilled» cuenta cuántas veces se despachó el pedido. Si una línea contiene "amount" o "installments", el valor se compara con el crédito. Una tienda con reembolsos agrega "refunded":true a un pedido reembolsado, y entonces "paid" es false. Cuando los procesos del comando terminaron, se ejecuta --orders. Si hay --settle, se ejecuta entonces, y después otra vez --orders. Si el código de salida de --settle no es 0, se ejecuta una segunda vez. En algunas ejecuciones, --orders se ejecuta también mientras el comando está en marcha.',
  '--restart starts the server of the shop before the command, and waits until the server listens on the port in BNPL_RUN_PORT. For every place where a fault is tried, one more run kills the server there and starts it again. Without --restart, the command must start the shop itself, and nothing kills the shop.':
    '--restart inicia el servidor de la tienda antes del comando, y espera hasta que escuche en el puerto de BNPL_RUN_PORT. Por cada lugar donde se prueba una falla, una ejecución más termina ahí el servidor y lo inicia otra vez. Sin --restart, el comando debe iniciar la tienda por sí mismo, y nada la termina.',
  'These rules are checked after every run. A broken rule is a finding, and the exit code is then 10. No order is paid without a loan, and every loan has its paid order. Nothing is fulfilled twice, or before its loan was verified. Amounts are equal. A call whose outcome is unknown is not repeated, also not with a new transaction whose order is the only one that the shop keeps. One purchase has one loan. An order is refunded if its loan is cancelled, and only then. Genuine deliveries are accepted, and forged deliveries have no effect. No key and no national id is in the output or in a log. The server of --restart runs until it is killed, and starts again. The command ends. After a fault that a shop can survive, the exit code of the command is 0.':
    'Estas reglas se revisan después de cada ejecución. Una regla rota es un hallazgo, y el código de salida es 10. Ningún pedido está pagado sin crédito, y cada crédito tiene su pedido pagado. Nada se despacha dos veces, ni antes de verificar su crédito. Los montos son iguales. Una llamada de resultado desconocido no se repite, tampoco con una transacción nueva cuyo pedido sea el único que la tienda conserva. Una compra tiene un crédito. Un pedido se reembolsa si su crédito está anulado, y solo entonces. Las entregas auténticas se aceptan, y las falsas no tienen efecto. No hay claves ni RUT en la salida ni en un registro. El servidor de --restart sigue en marcha hasta que se lo termina, y vuelve a iniciar. El comando termina. Después de una falla que una tienda puede soportar, el código de salida del comando es 0.',
  'where the fault happens: an endpoint that `bnpl sandbox fault endpoints` lists, or `any` (any endpoint), `download` (of a report), `delivery` (of an event) or `page` (a payment on the page)':
    'dónde ocurre la falla: un endpoint de la lista de `bnpl sandbox fault endpoints`, o `any` (cualquier endpoint), `download` (de un informe), `delivery` (de un evento) o `page` (un pago en la página)',
  'create a lead of a real-estate account': 'crea un lead de una cuenta inmobiliaria',
  '{length} not reached': '{length:text} sin llegar',
  'again: {reproduce}': 'de nuevo: {reproduce}',
  'the shop': 'la tienda',
  'For your own program': 'Para tu propio programa',
  'The sandbox answers at {baseUrl}': 'El sandbox responde en {baseUrl}',
}
