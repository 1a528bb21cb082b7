import type { Catalogue } from '../packing.ts'

export const contract: Catalogue = {
  'list every open question about a service, its answer here, and where the answer comes from':
    'lista todas las preguntas abiertas sobre un servicio, su respuesta aquí, y de dónde viene la respuesta',
  'of this service': 'de este servicio',
  'read the list': 'leer la lista',
  'what a recorded service answers': 'lo que responde un servicio grabado',
  'print the list as JSON': 'imprimir la lista como JSON',
  'print the contract as an OpenAPI 3.1 document': 'imprime el contrato como documento OpenAPI 3.1',
  'save the document for a client generator': 'guardar el documento para un generador de clientes',
  'with the paths and fields of a service': 'con las rutas y los campos de un servicio',
  'compare recordings with the contract: what differs, how often, and where':
    'compara grabaciones con el contrato: qué difiere, cuántas veces, y dónde',
  'recordings that --record wrote': 'grabaciones que escribió --record',
  'write a JUnit report': 'escribe un reporte JUnit',
  'what differs': 'qué difiere',
  'in CI': 'en CI',
  'learn from recordings how a service answers the open questions of the specification':
    'aprende de grabaciones cómo responde un servicio las preguntas abiertas de la especificación',
  'write the answers to a file, as the description of a service':
    'escribe las respuestas en un archivo, como la descripción de un servicio',
  'replace a file that exists': 'reemplaza un archivo que existe',
  'what the recordings of a day show': 'lo que muestran las grabaciones de un día',
  'store the description of the service, for --service': 'guardar la descripción del servicio, para --service',
  'start a sandbox that answers like the recorded service': 'iniciar un sandbox que responde como el servicio grabado',
  'convert recordings to HAR, or to fixtures for tests (a JSON file for each call and status)':
    'convierte grabaciones a HAR, o a datos para pruebas (un archivo JSON por llamada y estado)',
  'write one HAR 1.2 document': 'escribe un documento HAR 1.2',
  'write fixtures and their index.json into a directory': 'escribe los datos y su index.json en una carpeta',
  'replace files that exist': 'reemplaza archivos que existen',
  'write a file for the network panel of a browser': 'escribir un archivo para el panel de red de un navegador',
  'write fixtures for your own tests': 'escribir datos para tus propias pruebas',
  'the program looks in `data` for `preApproveId`, then for `idPreAprobacion`, then for the field that the profile setting `preApproveIdField` names. If none of these exists, the id is reported as `null`, and a warning lists the fields of the answer. `select` then asks for `--pre-approve-id`':
    'el programa busca en `data` el campo `preApproveId`, luego `idPreAprobacion`, luego el que nombra la configuración `preApproveIdField` del perfil. Si no existe ninguno, el id se informa como `null`, y una advertencia lista los campos de la respuesta. `select` pide entonces `--pre-approve-id`',
  'the step is shown as it was received, whatever its value is':
    'el paso se muestra como se recibió, sea cual sea su valor',
  'any state of a loan or an installment is shown as it was received. `--expect-state` compares states literally':
    'cualquier estado de un crédito o una cuota se muestra como se recibió. `--expect-state` compara los estados literalmente',
  'the user stores the public key in the profile, or passes it with `--public-key`':
    'el usuario guarda la clave pública en el perfil, o la pasa con `--public-key`',
  'the program does not use the widget': 'el programa no usa el widget',
  'JSON output contains every field that was received. The table shows only the known fields':
    'la salida JSON contiene todos los campos recibidos. La tabla muestra solo los conocidos',
  '`--hmac-algorithm` sets the algorithm (default: `sha256`). `--hmac-encoding` sets the encoding: `hex` (the default) or `base64`. The secret comes from the profile, the environment, a file or stdin. If a check fails, the error names the settings that were tried':
    '`--hmac-algorithm` define el algoritmo (por defecto: `sha256`). `--hmac-encoding` define la codificación: `hex` (por defecto) o `base64`. El secreto viene del perfil, del ambiente, de un archivo o de stdin. Si una verificación falla, el error nombra las configuraciones que se probaron',
  'the user provides the secret in the profile, the environment, a file or stdin':
    'el usuario da el secreto en el perfil, el ambiente, un archivo o stdin',
  '`--filter key=value` (repeatable) is sent as `filters[key]=value`. `--filters-json` takes all filters as one JSON object instead. `--project ID` is sent in a field. The profile setting `projectField` is the name of this field':
    '`--filter key=value` (se puede repetir) se envía como `filters[key]=value`. `--filters-json` recibe todos los filtros como un objeto JSON. `--project ID` se envía en un campo. La configuración `projectField` del perfil es el nombre de ese campo',
  'bodies are form-encoded, like every body that the specification shows, and an empty object is sent as an empty form body. If the profile setting `bodies.verification`, `bodies.registration` or `bodies.subscription` is `json`, that body is JSON':
    'los cuerpos van como formulario, como todos los que muestra la especificación, y un objeto vacío se envía como formulario vacío. Si la configuración `bodies.verification`, `bodies.registration` o `bodies.subscription` del perfil es `json`, ese cuerpo es JSON',
  'fields are shown as they were received. No field says which type an event has, so the program recognizes the type by the verification scheme of the destination (`hmac` or `token`) and by `idPreAprobacion` and `urlInforme` in `data`':
    'los campos se muestran como se recibieron. Ningún campo dice de qué tipo es un evento, así que el programa lo reconoce por el esquema de verificación del destino (`hmac` o `token`) y por `idPreAprobacion` y `urlInforme` en `data`',
  'the receiver expects that every delivery may be repeated, and recognizes a repetition by its `eventId`':
    'el receptor espera que cualquier entrega se pueda repetir, y reconoce una repetición por su `eventId`',
  'the program requests `urlInforme` unchanged, as it was received':
    'el programa solicita `urlInforme` sin cambios, como se recibió',
  'the paths come from the profile settings `paths.evaluationByLead`, `paths.leads` and `paths.lead`. If the setting for a path is missing, the command stops with an error that names the setting and suggests `bnpl api`':
    'las rutas vienen de las configuraciones `paths.evaluationByLead`, `paths.leads` y `paths.lead` del perfil. Si falta la de una ruta, el comando termina con un error que la nombra y sugiere `bnpl api`',
  'the program finds a code (`ERR_…`) in `code`, `error`, `error.code`, `message` or plain text, and shows the message as it was received. If the body has an unknown shape, the program reports the status':
    'el programa busca un código (`ERR_…`) en `code`, `error`, `error.code`, `message` o texto simple, y muestra el mensaje como se recibió. Si el cuerpo tiene una forma desconocida, el programa informa el estado',
  'the statuses 400, 401 and 403 are explained as the contract lists them for each endpoint. If an endpoint answers 400 without a code or with a code about a key, and the contract does not list 400 for this endpoint, the explanation says that the key may be the reason':
    'los estados 400, 401 y 403 se explican como los lista el contrato para cada endpoint. Si un endpoint responde 400 sin código o con un código sobre una clave, y el contrato no lista 400 para él, la explicación dice que la clave puede ser el motivo',
  'the program waits as long as `Retry-After` (seconds or date) says. If that is more than a minute, the call is not repeated. Without `Retry-After`, the program waits for a random time. The longest possible wait doubles after each attempt, from 0.5 s up to 8 s':
    'el programa espera lo que dice `Retry-After` (segundos o fecha). Si es más de un minuto, la llamada no se repite. Sin `Retry-After`, el programa espera un tiempo al azar. La espera más larga posible se duplica en cada intento, de 0,5 s a 8 s',
  '`bnpl evaluate` accepts every whole amount from 1 to 2^53 − 1, and `bnpl select` accepts 1 to 600 installments':
    '`bnpl evaluate` acepta cualquier monto entero de 1 a 2^53 − 1, y `bnpl select` acepta de 1 a 600 cuotas',
  'amounts are integers. Their digits are grouped for reading, without a currency sign unless the profile sets one':
    'los montos son números enteros. Sus dígitos se agrupan para leerlos, sin signo de moneda salvo que el perfil defina uno',
  'any 2xx is a success, even with an empty body': 'cualquier 2xx es un éxito, también con el cuerpo vacío',
  '404, or a success with nothing in `data`, is reported as "no loan for this transaction" (exit 6). The profile setting `notYet` can name more answers that mean “no loan yet”. Without this setting, 409 and 422 are reported as errors, but `verify --wait` continues to wait after them, because they may mean “no loan yet”. 401, 403 and 429 never mean “no loan yet”':
    '404, o un éxito sin nada en `data`, se informa como "no loan for this transaction" (salida 6). La configuración `notYet` del perfil puede nombrar más respuestas que significan «todavía sin crédito». Sin ella, 409 y 422 se informan como errores, pero `verify --wait` sigue esperando después de ellos, porque pueden significar «todavía sin crédito». 401, 403 y 429 nunca significan eso',
  'a missing value, an empty value and the literal word `undefined` all mean that there is no pre-approval':
    'un valor que falta, uno vacío y la palabra literal `undefined` significan que no hay pre-aprobación',
  'the program sends no API version': 'el programa no envía una versión de la API',
  'a national id is `<digits>-<check character>`, and dots are removed. The check character is verified as the RUT modulus-11 digit. A wrong check character is an error, but `--skip-rut-check` turns this check off':
    'un RUT es `<dígitos>-<dígito verificador>`, y los puntos se quitan. El dígito verificador se comprueba con el módulo 11. Uno incorrecto es un error, pero `--skip-rut-check` apaga esta comprobación',
  'the token is an opaque string that expires 10 minutes after the answer':
    'el token es un texto opaco que vence 10 minutos después de la respuesta',
  'if the service answers with an empty list of options, the list is shown unchanged, with a note. If it answers with a refusal, the exit code is 5, and the code of the refusal is shown as it was received':
    'si el servicio responde con una lista vacía de opciones, la lista se muestra sin cambios, con una nota. Si responde con un rechazo, el código de salida es 5, y el código del rechazo se muestra como se recibió',
  '`eventTypes[]=…` is sent once for each event. The profile setting `bodies.eventTypes` chooses another form (`brackets`, `repeated`, `indexed`, `comma`). If `bodies.subscription` is `json`, the events are a JSON list':
    '`eventTypes[]=…` se envía una vez por cada evento. La configuración `bodies.eventTypes` del perfil elige otra forma (`brackets`, `repeated`, `indexed`, `comma`). Si `bodies.subscription` es `json`, los eventos son una lista JSON',
  'after a 429 the program assumes that the service did nothing (RFC 6585). It waits and sends the request again, at most two times. In a run over a file, it sends the request again at most 19 times':
    'después de un 429 el programa supone que el servicio no hizo nada (RFC 6585). Espera y envía la llamada otra vez, dos veces como máximo. En una ejecución sobre un archivo, 19 veces como máximo',
  'after a 4xx that the endpoint does not document, the exit code is 5 (except after 401, 403, 404 and 429), and the code and the message are shown as they were received':
    'después de un 4xx que el endpoint no documenta, el código de salida es 5 (salvo 401, 403, 404 y 429), y el código y el mensaje se muestran como se recibieron',
  '`widget-token` and `pay-url` do not require an evaluation': '`widget-token` y `pay-url` no exigen una evaluación',
  'after `accepted: false` the exit code is 5, with or without a token in the answer':
    'después de `accepted: false` el código de salida es 5, con o sin un token en la respuesta',
  'the program sends every evaluation and every reported option, even if the transaction already has one':
    'el programa envía cada evaluación y cada opción informada, aunque la transacción ya tenga una',
  'the rate, the installments and the date are shown as they were received. The total may differ from `installmentAmount` × `periods`':
    'la tasa, las cuotas y la fecha se muestran como se recibieron. El total puede diferir de `installmentAmount` × `periods`',
  'each code in an answer is shown as it was received': 'cada código de una respuesta se muestra como se recibió',
  'after a 403 the exit code is 4, unless the endpoint documents another meaning':
    'después de un 403 el código de salida es 4, salvo que el endpoint documente otro significado',
  'the answer is shown as it was received. With `--if-missing`, the program first checks whether the address is already registered':
    'la respuesta se muestra como se recibió. Con `--if-missing`, el programa revisa primero si la dirección ya está registrada',
  'each status is explained as the specification lists it': 'cada estado se explica como lo lista la especificación',
  'the program requests evaluations and reports in the same way, whether they belong to a payment or to a lead':
    'el programa solicita evaluaciones e informes del mismo modo, sean de un pago o de un lead',
  '`bnpl explain` says what each status means': '`bnpl explain` dice qué significa cada estado',
  'the program never sends a key to a report link': 'el programa nunca envía una clave al enlace de un informe',
  'the link may lead to any https address. It may lead to an http address only if the service and the address are on this machine. After 400 or 403, a new link is requested one time. A report is never requested in parts':
    'el enlace puede llevar a cualquier dirección https. A una http, solo si el servicio y la dirección están en este equipo. Después de 400 o 403, se solicita un enlace nuevo una vez. Un informe nunca se solicita por partes',
  'an id that the history contains as a `preApproveId` is verified by its `externalTrxId`. Any other id is sent as it was given. The answer is accepted if its `externalTrxId` is the id that was sent. It is also accepted, with a note, if its `preApproveId` is the given id. In any other case the exit code is 10':
    'un id que el historial contiene como `preApproveId` se verifica por su `externalTrxId`. Cualquier otro se envía como se dio. La respuesta se acepta si su `externalTrxId` es el id enviado. También se acepta, con una nota, si su `preApproveId` es el id dado. En cualquier otro caso el código de salida es 10',
  '`data` should be a list. If it is an object that contains a list, this list is read. If it is a single destination, event or lead, it is read as a list of one. A warning says so in both cases. Ids are read as text or as numbers. `webhooks list`, `leads list` and `leads get` show `data` of any other shape as it was received':
    '`data` debería ser una lista. Si es un objeto que contiene una lista, se lee esa. Si es un solo destino, evento o lead, se lee como lista de uno. Una advertencia lo dice en ambos casos. Los ids se leen como texto o como números. `webhooks list`, `leads list` y `leads get` muestran un `data` de cualquier otra forma como se recibió',
  'the receiver checks the signature or the token, for every content type. A delivery whose content type is not JSON is forwarded as JSON':
    'el receptor verifica la firma o el token con cualquier tipo de contenido. Una entrega cuyo tipo no es JSON se reenvía como JSON',
  'any 2xx is a success. After a 404 the exit code is 6 at every endpoint':
    'cualquier 2xx es un éxito. Después de un 404 el código de salida es 6 en todos los endpoints',
  'the receiver answers 200 after it has stored the event': 'el receptor responde 200 después de guardar el evento',
  'answers are read as JSON, whatever their content type is':
    'las respuestas se leen como JSON, sea cual sea su tipo de contenido',
  'an id is text of up to 512 characters, or a number, which is read as its digits':
    'un id es un texto de hasta 512 caracteres, o un número, que se lee como sus dígitos',
  '`bnpl entities` sends its calls only to a service that is known to have them, as with gap 50. The paths that list and change entities are settings. A 428 means that the entity exists already':
    '`bnpl entities` envía sus llamadas solo a un servicio que se sabe que las tiene, como en el vacío 50. Las rutas que listan y cambian entidades son configuración. Un 428 significa que la entidad ya existe',
  '`bnpl cancel` sends the call only to a service that is known to have it: the sandbox, banca.me, or one whose profile has the setting `cancel`. Any 2xx is a success, and the answer is shown as it was received. After an unclear answer, the loan is verified':
    '`bnpl cancel` envía la llamada solo a un servicio que se sabe que la tiene: el sandbox, banca.me, o uno cuyo perfil tiene la configuración `cancel`. Cualquier 2xx es un éxito, y la respuesta se muestra como se recibió. Después de una respuesta poco clara, el crédito se verifica',
  'These fields and codes do not count as differences, because the specification does not show them: {part}':
    'Estos campos y códigos no cuentan como diferencias, porque la especificación no los muestra: {part:names}',
  'and more': 'y más',
  '{where}: {seen}; expected {expected} ({count} times, first in line {line})':
    '{where:text}: {seen:text}; se esperaba {expected:text} ({count} veces, la primera en la línea {line})',
  'The recordings contain no call or delivery to check.':
    'Las grabaciones no contienen llamadas ni entregas que comparar.',
  '{sum} as the contract describes {part}.': '{sum:text} como describe el contrato.',
  Call: 'Llamada',
  Where: 'Dónde',
  Expected: 'Esperado',
  Seen: 'Visto',
  Count: 'Veces',
  Line: 'Línea',
  '{count} exchange is': '{count} intercambio es',
  '{count} exchanges are': '{count} intercambios son',
  'the recordings contain no call or delivery to check':
    'las grabaciones no contienen llamadas ni entregas que comparar',
  '{length} from the contract: {part}': '{length:text} con el contrato: {part:list}',
  'unknown call': 'llamada desconocida',
  'the recordings contain no call or delivery to learn from':
    'las grabaciones no contienen llamadas ni entregas de las que aprender',
  'The recordings do not answer: {part}. To see the questions, run: bnpl contract gaps':
    'Las grabaciones no responden: {part}. Para ver las preguntas, ejecuta: bnpl contract gaps',
  'To store the answers as the description of a service, add: --write FILE':
    'Para guardar las respuestas como la descripción de un servicio, agrega: --write FILE',
  'The description is in {write}. Use it with: {part}, or: {part2}':
    'La descripción está en {write}. Úsala con: {part}, o: {part2}',
  'The recordings answer no open question.': 'Las grabaciones no responden ninguna pregunta abierta.',
  Gap: 'Vacío',
  Field: 'Campo',
  Question: 'Pregunta',
  Answer: 'Respuesta',
  Lines: 'Líneas',
  'the format is missing': 'falta el formato',
  'Add --har FILE or --fixtures DIR.': 'Agrega --har FILE o --fixtures DIR.',
  File: 'Archivo',
  Entries: 'Entradas',
  'answer status': 'estado de la respuesta',
  'answer header location': 'encabezado location de la respuesta',
  '{first}, a refusal (4xx), or {UNAVAILABLE}': '{first:text}, un rechazo (4xx), o {UNAVAILABLE}',
  'answer code': 'código de la respuesta',
  'no code': 'sin código',
  'answer code {code} ({status})': 'código {code} de la respuesta ({status})',
  'an object whose only key is data': 'un objeto cuya única clave es data',
  'answer body': 'cuerpo de la respuesta',
  'answer {name}': '{name} de la respuesta',
  'one more key': 'una clave más',
  'answer data': 'data de la respuesta',
  'a date such as 2026-03-01': 'una fecha como 2026-03-01',
  'answer data{part}{inside}': 'data de la respuesta{part}{inside}',
  'delivery method': 'método de la entrega',
  'another method': 'otro método',
  'delivery headers': 'encabezados de la entrega',
  'both of them': 'ambos',
  'none of them': 'ninguno de ellos',
  'delivery body': 'cuerpo de la entrega',
  'delivery {name}': '{name} de la entrega',
  'delivery eventId': 'eventId de la entrega',
  'an id': 'un id',
  'delivery data': 'data de la entrega',
  'an object whose only keys are eventId and data': 'un objeto cuyas únicas claves son eventId y data',
  'delivery data.{name}': 'data.{name} de la entrega',
  '{fields} fields of a {event}': '{fields} campos de un {event}',
  '{count} fields': '{count} campos',
  'a refused connection': 'una conexión rechazada',
  'an unknown host name': 'un nombre de host desconocido',
  'a failed TLS connection': 'una conexión TLS fallida',
  'a failure of the proxy': 'un fallo del proxy',
  'a connection that was cut off': 'una conexión cortada',
  'no answer in time': 'ninguna respuesta a tiempo',
  'an answer that is too large': 'una respuesta demasiado grande',
  'bytes that are not HTTP': 'bytes que no son HTTP',
  'request body': 'cuerpo de la solicitud',
  'a body in gzip, deflate, br or zstd, as its Content-Encoding says':
    'un cuerpo en gzip, deflate, br o zstd, como dice su Content-Encoding',
  'a body that cannot be decoded': 'un cuerpo que no se puede decodificar',
  'a complete answer': 'una respuesta completa',
  'request method': 'método de la solicitud',
  'request path': 'ruta de la solicitud',
  'a path of the contract, or a path from a setting such as paths.leads':
    'una ruta del contrato, o una de la configuración como paths.leads',
  'not in the specification': 'no está en la especificación',
  '{difference} is not as specified ({why})': '{difference:text} no es como se especificó ({why:text})',
  'the data was read from {place}': 'los datos se leyeron de {place}',
  'data is empty, and was read as an empty list': 'data está vacío, y se leyó como una lista vacía',
  'data is one object, and was read as a list of one': 'data es un objeto, y se leyó como lista de uno',
  'the list was read from {part}': 'la lista se leyó de {part:list}',
  '{from}; these fields next to the list were not read: {beside}':
    '{from:text}; estos campos junto a la lista no se leyeron: {beside:names}',
  '{part} is a number, and was read as text': '{part} es un número, y se leyó como texto',
  'a whole number': 'un número entero',
  '{value} with fields that bnpl does not know at this place: {part}':
    '{value:text} con campos que bnpl no conoce en este lugar: {part}',
  '{value}, which is not the expected form': '{value:text}, que no tiene la forma esperada',
  'it is {problem}': 'es {problem:text}',
  'a finite number': 'un número finito',
  'a number with more digits than a program can count with':
    'un número con más dígitos de los que un programa puede contar',
  'a fraction': 'una fracción',
  'a BigInt': 'un BigInt',
  'a symbol': 'un símbolo',
  'a function': 'una función',
  'request header authorization': 'encabezado authorization de la solicitud',
  'Bearer and the API key': 'Bearer y la clave de API',
  'no such header': 'no está este encabezado',
  'request query {name}': '{name} en la consulta de la solicitud',
  'no field of this name': 'ningún campo con este nombre',
  'a field': 'un campo',
  'the header': 'el encabezado',
  '{times} headers': '{times} encabezados',
  'Bearer without a key': 'Bearer sin clave',
  'Bearer and the word {key}': 'Bearer y la palabra {key}',
  'a key with spaces, quotes or brackets': 'una clave con espacios, comillas o paréntesis',
  Digest: 'Digest',
  'a value that does not begin with Bearer': 'un valor que no empieza con Bearer',
  'the scheme {known}': 'el esquema {known}',
  'request path {name}': '{name} en la ruta de la solicitud',
  'no body': 'sin cuerpo',
  'request header content-type': 'encabezado content-type de la solicitud',
  'JSON, as its Content-Type says': 'JSON, como dice su Content-Type',
  'a form, as its Content-Type says': 'un formulario, como dice su Content-Type',
  'another type': 'otro tipo',
  'request {place} {name}': '{name} en {place:text} de la solicitud',
  'the field once': 'el campo una sola vez',
  '{length} times': '{length} veces',
  'a whole number, digits only, such as 250000': 'un número entero, solo dígitos, como 250000',
  '(a name of {length} characters)': '(un nombre de {length} {length:carácter|caracteres})',
  negative: 'negativo',
  'whole number': 'número entero',
  'number with decimals': 'número con decimales',
  'a list of length {length}': 'una lista de longitud {length}',
  'a whole number of more than 15 digits': 'un número entero de más de 15 dígitos',
  'an empty text': 'un texto vacío',
  'the word {value}': 'la palabra {value}',
  'a text of {length} digits': 'un texto de {length} {length:dígito|dígitos}',
  'a text such as {part}': 'un texto como {part}',
  'a text of {length} characters': 'un texto de {length} {length:carácter|caracteres}',
  'a text with space around it': 'un texto con espacios alrededor',
  'a form': 'un formulario',
  'a page': 'una página',
  'a PDF': 'un PDF',
  'broken JSON': 'JSON roto',
  'a large body': 'un cuerpo grande',
  'text or a number': 'texto o un número',
  'a text that is not empty': 'un texto que no esté vacío',
  'a value as specified': 'un valor como se especificó',
  'a national id: digits, a dash and the check character, such as 12345678-5':
    'un RUT: dígitos, un guion y el dígito verificador, como 12345678-5',
  'an e-mail address': 'un correo',
  'a UUID': 'un UUID',
  'an https address': 'una dirección https',
  'an http address': 'una dirección http',
  'an absolute address': 'una dirección completa',
  'a decimal fraction, such as 0.0189': 'una fracción decimal, como 0.0189',
  'a number of 1 or more': 'un número de 1 o más',
  'a number of -1 or less': 'un número de -1 o menos',
  'another word': 'otra palabra',
  'one element for each period, in order, with the periods numbered from 1':
    'un elemento por cada cuota, en orden, numeradas desde 1',
  'a list of length {length} for {periods} periods':
    'una lista de longitud {length} para {periods} {periods:cuota|cuotas}',
  'periods in another order or with other numbers': 'cuotas en otro orden o con otros números',
  'it is a recording': 'es una grabación',
  'it is not JSON': 'no es JSON',
  'its “kind” is not “{FILE_KIND}”': 'su «kind» no es «{FILE_KIND}»',
  'its “version” is not {VERSION}': 'su «version» no es {VERSION}',
  'it has no “fields”': 'no tiene «fields»',
  '“{part}” is not a field of a description{field}': '«{part}» no es un campo de una descripción{field:text}',
  'the field {field} has no “answer”, as text': 'el campo {field} no tiene «answer», como texto',
  'the answer of {field} is not valid: {problem}': 'la respuesta de {field} no es válida: {problem:text}',
  'Which base address does the service have?': '¿Qué dirección base tiene el servicio?',
  'Which address does the payment page have?': '¿Qué dirección tiene la página de pago?',
  'Which field of the answer to an evaluation contains the pre-approval id?':
    '¿Qué campo de la respuesta a una evaluación contiene el id de pre-aprobación?',
  'Which steps does a payment have?': '¿Qué pasos tiene un pago?',
  'Which states does a loan have? The first is the state of a new loan.':
    '¿Qué estados tiene un crédito? El primero es el de un crédito nuevo.',
  'Which states does an installment have? The first is the state of an installment that is not paid.':
    '¿Qué estados tiene una cuota? El primero es el de una cuota sin pagar.',
  'Which hash function does the signature of a delivery use?': '¿Qué función de hash usa la firma de una entrega?',
  'How is the signature of a delivery written?': '¿Cómo se escribe la firma de una entrega?',
  'Which header contains the signature of a delivery?': '¿Qué encabezado contiene la firma de una entrega?',
  'What is signed: the body, or a timestamp and the body (t=…,signature=…)? With “any”, a receiver decides this by the form of the header, and the sandbox signs the body.':
    '¿Qué se firma: el cuerpo, o una hora y el cuerpo (t=…,signature=…)? Con «any», un receptor lo decide por la forma del encabezado, y el sandbox firma el cuerpo.',
  'How old may the timestamp of a signature be?': '¿Qué antigüedad puede tener la hora de una firma?',
  'Which header contains the token of a delivery?': '¿Qué encabezado contiene el token de una entrega?',
  'Which field of a subscription contains the project?': '¿Qué campo de una suscripción contiene el proyecto?',
  'How is the body of a verification written?': '¿Cómo se escribe el cuerpo de una verificación?',
  'How is the body of a BNPL registration written?': '¿Cómo se escribe el cuerpo de un registro BNPL?',
  'How is the body of a real-estate subscription written?':
    '¿Cómo se escribe el cuerpo de una suscripción inmobiliaria?',
  'How long may a receiver take to answer a delivery (new_lead: always 3 s)?':
    '¿Cuánto puede tardar un receptor en responder una entrega (new_lead: siempre 3 s)?',
  'How long does the service wait before each repetition of a delivery (new_lead: none)?':
    '¿Cuánto espera el servicio antes de cada repetición de una entrega (new_lead: ninguna)?',
  'Does the event loan_approved contain the pre-approval id (preApproveId)?':
    '¿Contiene el evento loan_approved el id de pre-aprobación (preApproveId)?',
  'With which text do the ids of events (eventId) begin?': '¿Con qué texto empiezan los ids de eventos (eventId)?',
  'Which path does the link to a report have?': '¿Qué ruta tiene el enlace a un informe?',
  'Which path does the evaluation of a lead have?': '¿Qué ruta tiene la evaluación de un lead?',
  'lead id': 'id del lead',
  'Which path does the list of leads have?': '¿Qué ruta tiene la lista de leads?',
  'Which path do the details of a lead have?': '¿Qué ruta tienen los detalles de un lead?',
  'Which form does the body of an error have: {"error":{code,message}}, {"data":{status,url,ip}}, {code,message}, or a text?':
    '¿Qué forma tiene el cuerpo de un error: {"error":{code,message}}, {"data":{status,url,ip}}, {code,message}, o un texto?',
  'With which status is a missing or wrong key refused, except at the informe endpoint?':
    '¿Con qué estado se rechaza una clave que falta o es incorrecta, salvo en el endpoint de informes?',
  'How many calls may an account make (calls at once, then calls in a time)?':
    '¿Cuántas llamadas puede hacer una cuenta (llamadas de una vez, luego llamadas por tiempo)?',
  'Does each call of an account have a limit of its own, or is the limit that of the key?':
    '¿Tiene cada llamada de una cuenta su propio límite, o el límite es de la clave?',
  'Which headers of an answer say how many calls are left: RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset, the same with X-, or none?':
    '¿Qué encabezados de una respuesta dicen cuántas llamadas quedan: RateLimit-Limit, RateLimit-Remaining y RateLimit-Reset, los mismos con X-, o ninguno?',
  'How does a refusal because of too many calls say when to call again (Retry-After)?':
    '¿Cómo dice un rechazo por demasiadas llamadas cuándo volver a llamar (Retry-After)?',
  'Which amounts does the service accept?': '¿Qué montos acepta el servicio?',
  'Which numbers of installments does the service offer?': '¿Qué cantidades de cuotas ofrece el servicio?',
  'Which answers to a verification mean “no loan yet”? The sandbox sends the first of them.':
    '¿Qué respuestas a una verificación significan «todavía sin crédito»? El sandbox envía la primera de ellas.',
  'Does the answer with a widget token say until when the token is valid (validUntil)?':
    '¿Dice la respuesta con un token de widget hasta cuándo es válido (validUntil)?',
  'How is the list of events written in a form?': '¿Cómo se escribe la lista de eventos en un formulario?',
  'Does a payment need an evaluation before it? If not, the payment page asks for the national id.':
    '¿Necesita un pago una evaluación previa? Si no, la página de pago pide el RUT.',
  'Does the answer with a widget token say whether the session was accepted (accepted)? If it is optional, the sandbox leaves it out.':
    '¿Dice la respuesta con un token de widget si la sesión se aceptó (accepted)? Si es opcional, el sandbox lo omite.',
  'How are the dates of a loan written: as days (2026-03-01) or as times in UTC (2026-03-01T00:00:00Z)?':
    '¿Cómo se escriben las fechas de un crédito: como días (2026-03-01) o como horas en UTC (2026-03-01T00:00:00Z)?',
  'Can a widget session be started with the pre-approval id of an evaluation (preApproveId)?':
    '¿Se puede iniciar una sesión de widget con el id de pre-aprobación de una evaluación (preApproveId)?',
  'Which content type do deliveries have?': '¿Qué tipo de contenido tienen las entregas?',
  'Does the service have a call that cancels a loan?': '¿Tiene el servicio una llamada que anula un crédito?',
  'Which state does a loan have after it was cancelled?': '¿Qué estado tiene un crédito después de anularse?',
  'Which state does an installment have after it was paid?': '¿Qué estado tiene una cuota después de pagarse?',
  'Does the service have calls for the entities of an account?':
    '¿Tiene el servicio llamadas para las entidades de una cuenta?',
  'Which path does the list of entities have?': '¿Qué ruta tiene la lista de entidades?',
  'Which path does a change of an entity have?': '¿Qué ruta tiene el cambio de una entidad?',
  'learnt from {part} {part2}': 'aprendido de {part:text} {part2}',
  line: 'línea',
  lines: 'líneas',
  'published: {page} ({certainty}, read {read})': 'publicado: {page} ({certainty:text}, leído {read})',
  'Do not run the command again yet.': 'No ejecutes el comando otra vez todavía.',
  '{NOT_AGAIN} Find out what happened:': '{NOT_AGAIN:text} Averigua qué pasó:',
  'if the account can read evaluations, read the latest evaluation of the customer (evaluationByRut). Compare the time and the amount of that evaluation with those of this call, because the specification shows no transaction id in an evaluation. If the account cannot read evaluations, ask the support of the service about the transaction':
    'si la cuenta puede leer evaluaciones, lee la última evaluación del cliente (evaluationByRut). Compara su hora y su monto con los de esta llamada, porque la especificación no muestra un id de transacción en una evaluación. Si la cuenta no puede leer evaluaciones, pregunta al soporte del servicio por la transacción',
  'verify the transaction after the payment (verifyLoan), because the service documents no call that reads a loan request':
    'verifica la transacción después del pago (verifyLoan), porque el servicio no documenta una llamada que lea una solicitud de crédito',
  'list the entities (listEntities)': 'lista las entidades (listEntities)',
  'verify the transaction (verifyLoan), and look at the state of its loan':
    'verifica la transacción (verifyLoan), y mira el estado de su crédito',
  'wait 10 minutes. A token that may have been created has expired by then, so you can create a new one safely':
    'espera 10 minutos. Para entonces venció el token que pueda haberse creado, así que puedes crear uno nuevo sin riesgo',
  'list the destinations (listWebhooks)': 'lista los destinos (listWebhooks)',
  'Ask the operator of the service for a new certificate, and check the clock of this machine.':
    'Pide al operador del servicio un certificado nuevo, y revisa el reloj de este equipo.',
  'Check the clock of this machine. If the clock is right, tell the operator of the service about the certificate.':
    'Revisa el reloj de este equipo. Si está bien, avisa al operador del servicio sobre el certificado.',
  'Check the host name in the base address, because the certificate is for another name.':
    'Revisa el nombre de host de la dirección base, porque el certificado es de otro nombre.',
  'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate.':
    'Define NODE_EXTRA_CA_CERTS con un archivo PEM que tenga el certificado de la autoridad que firmó el del servidor.',
  'Set NODE_EXTRA_CA_CERTS to the certificate of the server (PEM), if the server is yours. Otherwise check the base address.':
    'Define NODE_EXTRA_CA_CERTS con el certificado del servidor (PEM), si el servidor es tuyo. Si no, revisa la dirección base.',
  'Check the base address, because its port probably does not speak TLS.':
    'Revisa la dirección base, porque su puerto probablemente no habla TLS.',
  'Set NODE_EXTRA_CA_CERTS to a PEM file that you can read. It must contain the certificate of the authority that signed the server’s certificate.':
    'Define NODE_EXTRA_CA_CERTS con un archivo PEM que puedas leer. Debe contener el certificado de la autoridad que firmó el del servidor.',
  'Check the base address. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.':
    'Revisa la dirección base. Si una autoridad certificadora privada firmó el certificado del servidor, define NODE_EXTRA_CA_CERTS con un archivo PEM que tenga el certificado de esa autoridad.',
  'Set HTTPS_PROXY with the right user and password: http://user:password@proxy.example:3128':
    'Define HTTPS_PROXY con el usuario y la contraseña correctos: http://user:password@proxy.example:3128',
  'Ask the operator of the proxy to allow the address, or add the address to NO_PROXY.':
    'Pide al operador del proxy que permita la dirección, o agrégala a NO_PROXY.',
  'Ask the operator of the proxy for the reason, or add the address to NO_PROXY. Nothing was sent.':
    'Pregunta al operador del proxy por el motivo, o agrega la dirección a NO_PROXY. No se envió nada.',
  'Check HTTPS_PROXY and NO_PROXY.': 'Revisa HTTPS_PROXY y NO_PROXY.',
  'Check HTTPS_PROXY and that the proxy is up. Nothing was sent.':
    'Revisa HTTPS_PROXY y que el proxy esté en marcha. No se envió nada.',
  'Check the key of this profile: bnpl profiles show{end}': 'Revisa la clave de este perfil: bnpl profiles show{end}',
  'Check the request, then the key of this profile (a wrong key may be refused with 400): bnpl profiles show{end}':
    'Revisa la llamada, y luego la clave de este perfil (una clave incorrecta puede rechazarse con 400): bnpl profiles show{end}',
  'Use the profile of the account that made this evaluation. The key itself was accepted.':
    'Usa el perfil de la cuenta que hizo esta evaluación. La clave se aceptó.',
  'Wait for the payment with `bnpl verify TRX --wait{end}`, because the customer may not have paid yet.':
    'Espera el pago con `bnpl verify TRX --wait{end}`, porque puede que el cliente todavía no haya pagado.',
  'If this is a BNPL account, register the destination with: bnpl webhooks add URL{end}':
    'Si esta es una cuenta BNPL, registra el destino con: bnpl webhooks add URL{end}',
  'List the ids with: bnpl webhooks list{end}': 'Mira los ids con: bnpl webhooks list{end}',
  '{FIND_OUT} bnpl evaluations get --rut …{end}, or ask the support about TRX':
    '{FIND_OUT:text} bnpl evaluations get --rut …{end}, o pregunta al soporte por TRX',
  '{NOT_AGAIN} After the customer has paid, find out what happened: bnpl verify TRX{end}':
    '{NOT_AGAIN:text} Cuando el cliente haya pagado, averigua qué pasó: bnpl verify TRX{end}',
  '{NOT_AGAIN} Wait 10 minutes: then a token that may have been created has expired, and you can create another one safely':
    '{NOT_AGAIN:text} Espera 10 minutos: entonces venció el token que pueda haberse creado, y puedes crear otro sin riesgo',
  'Set the API key.': 'Define la clave de API.',
  'Set BNPL_API_KEY, or {part}': 'Define BNPL_API_KEY, o {part:text}',
  'add a profile: bnpl profiles add NAME': 'agrega un perfil: bnpl profiles add NAME',
  'store a key in the profile: bnpl profiles set-key{end}': 'guarda una clave en el perfil: bnpl profiles set-key{end}',
  'Set {setting} to the path that the support of the service gives you, such as {path}.':
    'Define {setting} con la ruta que te dé el soporte del servicio, como {path}.',
  'Set the path: {part}. Or use: bnpl api {method} PATH{end}':
    'Define la ruta: {part}. O usa: bnpl api {method} PATH{end}',
  'Set {setting} to a path such as {path}. Nothing was sent.':
    'Define {setting} con una ruta como {path}. No se envió nada.',
  'Set a valid path: {part}': 'Define una ruta válida: {part}',
  'Check the base address and that the service is up.': 'Revisa la dirección base y que el servicio esté en marcha.',
  'Check the base address and that the service is up: bnpl doctor{end}':
    'Revisa la dirección base y que el servicio esté en marcha: bnpl doctor{end}',
  'Check the base address and the DNS.': 'Revisa la dirección base y el DNS.',
  'Check the base address and the DNS: bnpl doctor{end}': 'Revisa la dirección base y el DNS: bnpl doctor{end}',
  'Check the base address.': 'Revisa la dirección base.',
  'Check the base address: bnpl doctor{end}': 'Revisa la dirección base: bnpl doctor{end}',
  'Check the base address: bnpl doctor{end}. If a private certificate authority signed the server’s certificate, set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of this authority.':
    'Revisa la dirección base: bnpl doctor{end}. Si una autoridad certificadora privada firmó el certificado del servidor, define NODE_EXTRA_CA_CERTS con un archivo PEM que tenga el certificado de esa autoridad.',
  'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of the authority that signed the server’s certificate; see bnpl doctor{end}.':
    'Define NODE_EXTRA_CA_CERTS con un archivo PEM que tenga el certificado de la autoridad que firmó el del servidor; ver bnpl doctor{end}.',
  'Check HTTPS_PROXY and NO_PROXY: bnpl doctor{end}': 'Revisa HTTPS_PROXY y NO_PROXY: bnpl doctor{end}',
  'Check HTTPS_PROXY and that the proxy is up: bnpl doctor{end}. Nothing was sent.':
    'Revisa HTTPS_PROXY y que el proxy esté en marcha: bnpl doctor{end}. No se envió nada.',
  'Repeat the call, which is safe.': 'Repite la llamada: es seguro.',
  'Run the command again. That is safe.': 'Ejecuta el comando otra vez. Es seguro.',
  'Repeat the call, which is safe, and allow more time.': 'Repite la llamada, con más tiempo: es seguro.',
  'Run the command again, which is safe. Add --timeout 60s to wait longer.':
    'Ejecuta el comando otra vez: es seguro. Agrega --timeout 60s para esperar más.',
  '{part} The service refused the call, so the call can be repeated.':
    '{part:text} El servicio rechazó la llamada, así que se puede repetir.',
  'Wait a minute.': 'Espera un minuto.',
  'Wait {ms}, as the service asks.': 'Espera {ms}, como pide el servicio.',
  'Check the base address, and look at the raw answer.': 'Revisa la dirección base, y mira la respuesta sin cambios.',
  'Check the base address, or see the raw answer: {part}':
    'Revisa la dirección base, o mira la respuesta sin cambios: {part}',
  'See the calls of the service and their fields: bnpl contract openapi':
    'Mira las llamadas del servicio y sus campos: bnpl contract openapi',
  'See the events and the filters: bnpl webhooks subscribe --help':
    'Mira los eventos y los filtros: bnpl webhooks subscribe --help',
  'See the amount and the pre-approval of the evaluation: {part}':
    'Mira el monto y la pre-aprobación de la evaluación: {part}',
  'the amount is not the amount for which the transaction was evaluated':
    'el monto no es el monto por el que se evaluó la transacción',
  'the amount is lower or higher than the service accepts': 'el monto es menor o mayor que lo que acepta el servicio',
  'Use an amount between the limits of the service. The message of the service may name the limits.':
    'Usa un monto dentro de los límites del servicio. El mensaje del servicio puede nombrarlos.',
  'a report link was opened with an API key. The link needs no key, because it contains its own signature':
    'el enlace de un informe se abrió con una clave de API. El enlace no necesita clave, porque contiene su propia firma',
  'Open the link without an API key.': 'Abre el enlace sin clave de API.',
  'the customer was not approved': 'el cliente no fue aprobado',
  'Offer the customer another way to pay. In the sandbox, use a test customer who is approved: bnpl sandbox customers':
    'Ofrece al cliente otra forma de pago. En el sandbox, usa un cliente de prueba que queda aprobado: bnpl sandbox customers',
  'it exists already': 'ya existe',
  'List the entities with: bnpl entities list{end}': 'Lista las entidades con: bnpl entities list{end}',
  'the entity is inactive, so it cannot be used for a payment':
    'la entidad está inactiva, así que no se puede usar para un pago',
  'Use another entity, or activate this one: bnpl entities set ENTITYID --active yes{end}':
    'Usa otra entidad, o activa esta: bnpl entities set ENTITYID --active yes{end}',
  'the account has no entity with this entityId': 'la cuenta no tiene una entidad con este entityId',
  'Check the entity id of this profile: bnpl profiles show{end}':
    'Revisa el id de entidad de este perfil: bnpl profiles show{end}',
  'no evaluation for this national id or lead, or the evaluation is not finished':
    'no hay una evaluación para este RUT o lead, o la evaluación no ha terminado',
  'See whether the lead exists: bnpl leads list{end}. Its evaluation may not be finished yet.':
    'Mira si el lead existe: bnpl leads list{end}. Puede que su evaluación todavía no termine.',
  'this number of installments was not offered to the customer': 'esta cantidad de cuotas no se ofreció al cliente',
  'Use a number of installments that the evaluation offered. The message of the service may list these numbers.':
    'Usa una cantidad de cuotas que ofreció la evaluación. El mensaje del servicio puede listarlas.',
  'the e-mail address of the customer has a wrong form': 'el correo del cliente tiene una forma incorrecta',
  'Correct the e-mail address of the customer.': 'Corrige el correo del cliente.',
  'an event type does not exist, or none was given': 'un tipo de evento no existe, o no se dio ninguno',
  'the filter does not exist, or does not belong to the given event types':
    'el filtro no existe, o no corresponde a los tipos de evento dados',
  'the national id must be a RUT such as 11222333-9, without dots and with the correct check character':
    'debe ser un RUT como 11222333-9, sin puntos y con el dígito verificador correcto',
  'Correct the national id. Write it without dots, such as 11222333-9.':
    'Corrige el RUT. Escríbelo sin puntos, como 11222333-9.',
  'a field is missing, unknown or has a wrong form, or the JSON is broken':
    'un campo falta, es desconocido o tiene una forma incorrecta, o el JSON está roto',
  'List the leads with their ids: bnpl leads list{end}': 'Lista los leads con sus ids: bnpl leads list{end}',
  'the loan of the transaction is already cancelled': 'el crédito de la transacción ya está anulado',
  'See the loan of the transaction: {part}': 'Mira el crédito de la transacción: {part}',
  'the loan was transferred more than 60 days ago, so it can no longer be cancelled with this call':
    'el crédito se transfirió hace más de 60 días, así que ya no se puede anular con esta llamada',
  'Ask the support of the service how to give the money back to the customer.':
    'Pregunta al soporte del servicio cómo devolver el dinero al cliente.',
  'no loan for this transaction. The customer may not have paid yet':
    'no hay crédito para esta transacción. Puede que el cliente todavía no haya pagado',
  'Wait for the payment: {part}': 'Espera el pago: {part}',
  'the address exists, but not with this method': 'la dirección existe, pero no con este método',
  'the service has no call at this address': 'el servicio no tiene una llamada en esta dirección',
  'the account is inactive': 'la cuenta está inactiva',
  'the account does not have the evaluation module, which real-estate events need':
    'la cuenta no tiene el módulo de evaluación, que los eventos inmobiliarios necesitan',
  'no pre-approval with this preApproveId': 'no hay una pre-aprobación con este preApproveId',
  'Use the preApproveId of the evaluation: {part}': 'Usa el preApproveId de la evaluación: {part}',
  'the pre-approval belongs to another account': 'la pre-aprobación es de otra cuenta',
  'Use the profile of the account that made this evaluation.': 'Usa el perfil de la cuenta que hizo esta evaluación.',
  'too many calls in a short time. The service did nothing':
    'demasiadas llamadas en poco tiempo. El servicio no hizo nada',
  'Wait, and run the command again.': 'Espera, y ejecuta el comando otra vez.',
  'the service cannot answer for a while': 'el servicio no puede responder por un tiempo',
  'Run the command again later.': 'Ejecuta el comando otra vez más tarde.',
  'the transaction already has a loan': 'la transacción ya tiene un crédito',
  'See the loan of the transaction: {part}. For a new purchase, use another transaction id.':
    'Mira el crédito de la transacción: {part}. Para una compra nueva, usa otro id de transacción.',
  'the preApproveId belongs to another transaction': 'el preApproveId es de otra transacción',
  'the API key is missing, wrong, or belongs to the other environment':
    'la clave de API falta, es incorrecta, o es del otro ambiente',
  'the body is neither a form nor JSON': 'el cuerpo no es un formulario ni JSON',
  'Send the body as a form or as JSON.': 'Envía el cuerpo como formulario o como JSON.',
  'the account already has the 10 destinations that are allowed': 'la cuenta ya tiene los 10 destinos permitidos',
  'Remove a destination: bnpl webhooks rm ID{end} (ids: bnpl webhooks list{end2})':
    'Quita un destino: bnpl webhooks rm ID{end} (ids: bnpl webhooks list{end2})',
  'the address of the destination does not begin with https': 'la dirección del destino no empieza con https',
  'Use an address that begins with https://.': 'Usa una dirección que empiece con https://.',
  'no delivery could reach the address of the destination, because it is private':
    'ninguna entrega podría llegar a la dirección del destino, porque es privada',
  'Use a public address. To receive deliveries of the sandbox on this machine, run: bnpl webhooks listen -p sandbox':
    'Usa una dirección pública. Para recibir entregas del sandbox en este equipo, ejecuta: bnpl webhooks listen -p sandbox',
  'List the snapshots: bnpl sandbox snapshot list': 'Mira las instantáneas: bnpl sandbox snapshot list',
  'Send the request to the address that bnpl proxy prints.': 'Envía la llamada a la dirección que imprime bnpl proxy.',
  'the sandbox got a request without a path or a Host header, or with more than one Host header':
    'el sandbox recibió una llamada sin ruta o sin encabezado Host, o con más de un encabezado Host',
  'Send the request to the address that bnpl sandbox start prints.':
    'Envía la llamada a la dirección que imprime bnpl sandbox start.',
  'a control of the sandbox got a value that it does not accept':
    'un control del sandbox recibió un valor que no acepta',
  'Correct the value that the message names. If you called the control directly, run its command instead: bnpl sandbox --help':
    'Corrige el valor que nombra el mensaje. Si llamaste directamente al control, ejecuta su comando: bnpl sandbox --help',
  'a control of the sandbox was called without its token': 'se llamó a un control del sandbox sin su token',
  'Use the commands of bnpl sandbox, which send the token.': 'Usa los comandos de bnpl sandbox, que envían el token.',
  'the sandbox has no active fault with this id': 'el sandbox no tiene una falla activa con este id',
  'a web page of another site called the sandbox': 'una página web de otro sitio llamó al sandbox',
  'Call the service from your back end, not from a page.': 'Llama al servicio desde tu servidor, no desde una página.',
  'the transaction was evaluated for another customer than the national id of the payment':
    'la transacción se evaluó para otro cliente que el RUT del pago',
  'Leave out --rut, or use the national id of the evaluation.': 'Omite --rut, o usa el RUT de la evaluación.',
  'the transaction has no evaluation, so the payment page asks the customer for the national id':
    'la transacción no tiene evaluación, así que la página de pago pide el RUT al cliente',
  'Pay with the national id of a test customer: bnpl sandbox pay TRX --rut 11222333-9':
    'Paga con el RUT de un cliente de prueba: bnpl sandbox pay TRX --rut 11222333-9',
  'the loan has fewer installments than the number of the installment that is paid':
    'el crédito tiene menos cuotas que el número de la cuota que se paga',
  'See the installments of the loan: bnpl verify TRX -p sandbox':
    'Mira las cuotas del crédito: bnpl verify TRX -p sandbox',
  'the Host header of the request does not name this sandbox':
    'el encabezado Host de la llamada no nombra este sandbox',
  'To add a name, start the sandbox with: bnpl sandbox start --allow-host NAME':
    'Para agregar un nombre, inicia el sandbox con: bnpl sandbox start --allow-host NAME',
  'the file is not a snapshot of a sandbox': 'el archivo no es una instantánea de un sandbox',
  'the sandbox has no control with this name': 'el sandbox no tiene un control con este nombre',
  'Run the command with the version of bnpl that started the sandbox.':
    'Ejecuta el comando con la versión de bnpl que inició el sandbox.',
  'the sandbox has no delivery that it could send again': 'el sandbox no tiene una entrega que pueda enviar otra vez',
  'List the deliveries: bnpl sandbox deliveries': 'Mira las entregas: bnpl sandbox deliveries',
  'the destination of the delivery was deleted, so the delivery cannot be sent again':
    'el destino de la entrega se borró, así que la entrega no se puede enviar otra vez',
  'Register the destination again: bnpl webhooks add URL -p sandbox':
    'Registra el destino otra vez: bnpl webhooks add URL -p sandbox',
  'the account is a shop, and only sellers of real estate have leads':
    'la cuenta es una tienda, y solo las inmobiliarias tienen leads',
  'Name a real-estate account. To see the name and the kind of each account: bnpl sandbox status --keys':
    'Nombra una cuenta inmobiliaria. Para ver el nombre y el tipo de cada cuenta: bnpl sandbox status --keys',
  'the sandbox has no account with this name': 'el sandbox no tiene una cuenta con este nombre',
  'See the names of the accounts: bnpl sandbox status --keys':
    'Mira los nombres de las cuentas: bnpl sandbox status --keys',
  'the body of the request is larger than the sandbox accepts':
    'el cuerpo de la llamada es mayor de lo que acepta el sandbox',
  'Send a smaller body.': 'Envía un cuerpo más pequeño.',
  'the sandbox itself failed': 'falló el propio sandbox',
  'Read what bnpl sandbox start printed on stderr, and report it.':
    'Lee lo que bnpl sandbox start imprimió en stderr, e infórmalo.',
  'the sandbox cannot use its database now': 'el sandbox no puede usar ahora su base de datos',
  'Read what bnpl sandbox start printed on stderr, if the message names no reason.':
    'Lee lo que bnpl sandbox start imprimió en stderr, si el mensaje no nombra un motivo.',
  'the sandbox has no snapshot with this name': 'el sandbox no tiene una instantánea con este nombre',
  'the file of the snapshot could not be read': 'no se pudo leer el archivo de la instantánea',
  'Check that the path is a file, and check its owner and its mode. If the disk is full, make room on it.':
    'Revisa que la ruta sea un archivo, y revisa su dueño y su modo. Si el disco está lleno, libera espacio.',
  'the snapshot could not be written': 'no se pudo escribir la instantánea',
  'Name another file, or check the space on the disk and the owner of the folder.':
    'Nombra otro archivo, o revisa el espacio en el disco y el dueño de la carpeta.',
  'the snapshot has the accounts of another sandbox, so it cannot be compared with this one':
    'la instantánea tiene las cuentas de otro sandbox, así que no se puede comparar con este',
  'no transaction with this id can be paid in the sandbox yet':
    'todavía no se puede pagar en el sandbox una transacción con este id',
  'Evaluate the customer first: bnpl evaluate --trx ID --rut 11222333-9 --amount 250000 -p sandbox':
    'Evalúa primero al cliente: bnpl evaluate --trx ID --rut 11222333-9 --amount 250000 -p sandbox',
  'this browser may not use the sandbox’s window yet': 'este navegador todavía no puede usar la ventana del sandbox',
  'Open the window with: bnpl sandbox open': 'Abre la ventana con: bnpl sandbox open',
  'the request has no Host header, more than one, or one that does not name the proxy':
    'la llamada no tiene encabezado Host, tiene más de uno, o uno que no nombra el proxy',
  'with --strict, the proxy did not send a request that differs from the contract':
    'con --strict, el proxy no envió una llamada que difiere del contrato',
  'Read `problems` in the answer, which lists the differences.':
    'Lee `problems` en la respuesta, que lista las diferencias.',
  'with --with-key, the proxy refused a request from a page in a browser':
    'con --with-key, el proxy rechazó una llamada de una página en un navegador',
  'Send the request from your back end.': 'Envía la llamada desde tu servidor.',
  'the target of the request is not a path below the address of the service':
    'el destino de la llamada no es una ruta bajo la dirección del servicio',
  'the request is not valid HTTP/1.1': 'la llamada no es HTTP/1.1 válido',
  'Use an HTTP library to make the request. Its target must not contain a space, and its body must have one length, or chunks.':
    'Usa una biblioteca HTTP para la llamada. Su destino no debe contener espacios, y su cuerpo debe tener una longitud, o trozos.',
  'nothing answers at this address': 'nadie responde en esta dirección',
  'the host name was not found': 'no se encontró el nombre de host',
  'the secure connection failed': 'falló la conexión segura',
  'no connection through the proxy': 'sin conexión a través del proxy',
  'the connection was cut off': 'la conexión se cortó',
  'no complete answer arrived in time': 'no llegó una respuesta completa a tiempo',
  'the answer is too large to come from this service': 'la respuesta es demasiado grande para ser de este servicio',
  'the answer is not valid HTTP': 'la respuesta no es HTTP válido',
  'the call was interrupted': 'la llamada se interrumpió',
  'the answer comes in thousands of chunks of a few bytes, so it was not read to its end':
    'la respuesta llega en miles de trozos de pocos bytes, así que no se leyó hasta el final',
  '{what}, and NODE_EXTRA_CA_CERTS names {missingAuthorities}, which cannot be read':
    '{what:text}, y NODE_EXTRA_CA_CERTS nombra {missingAuthorities}, que no se puede leer',
  'the proxy {name} requires a user and a password, or refused those in HTTPS_PROXY (407)':
    'el proxy {name} exige un usuario y una contraseña, o rechazó los de HTTPS_PROXY (407)',
  'the proxy {name} does not allow this address (403)': 'el proxy {name} no permite esta dirección (403)',
  'the proxy {name} could not connect to the address ({status})':
    'el proxy {name} no pudo conectarse a la dirección ({status})',
  'nothing answers at the proxy {name}': 'nadie responde en el proxy {name}',
  'the name of the proxy {name} was not found': 'no se encontró el nombre del proxy {name}',
  'the secure connection to the proxy {name} failed': 'falló la conexión segura con el proxy {name}',
  'the proxy {name} did not connect': 'el proxy {name} no se conectó',
  'a fault in bnpl itself, not in your input or the service':
    'un fallo del propio bnpl, no de tus datos ni del servicio',
  'Remove keys and ids from the line that the failed command printed, and send the line to the maintainers.':
    'Quita claves e ids de la línea que imprimió el comando fallido, y envíala a quienes mantienen bnpl.',
  'a wrong option or value (nothing was sent), or you answered no to a question (nothing was changed)':
    'una opción o un valor incorrecto (no se envió nada), o respondiste que no a una pregunta (no se cambió nada)',
  'Read the message, which says what is wrong. --help shows the options.':
    'Lee el mensaje, que dice qué está mal. --help muestra las opciones.',
  'a profile that is missing or incomplete, settings or state that cannot be read, a port that is taken, or a key that was stored for another address of the service':
    'un perfil que falta o está incompleto, configuración o estado que no se puede leer, un puerto ocupado, o una clave guardada para otra dirección del servicio',
  'Run bnpl doctor and bnpl profiles show.': 'Ejecuta bnpl doctor y bnpl profiles show.',
  'the service refused the API key': 'el servicio rechazó la clave de API',
  'Check the key and the environment (beta or production): bnpl profiles show':
    'Revisa la clave y el ambiente (beta o producción): bnpl profiles show',
  'the service understood the request and refused it (4xx), for example because the pre-approval belongs to another account':
    'el servicio entendió la solicitud y la rechazó (4xx), por ejemplo porque la pre-aprobación es de otra cuenta',
  'Run bnpl explain CODE with the service’s code, which is in the message.':
    'Ejecuta bnpl explain CODE con el código del servicio, que está en el mensaje.',
  'the requested object does not exist': 'el objeto solicitado no existe',
  'Check the id and the profile. If you asked for a loan, perhaps the customer has not paid yet.':
    'Revisa el id y el perfil. Si preguntaste por un crédito, quizás el cliente todavía no ha pagado.',
  'too many requests (429), even after retries. The service did not carry out the call':
    'demasiadas llamadas (429), también después de reintentos. El servicio no realizó la llamada',
  'Wait and run the command again. With a file, --rate keeps the run below the limit.':
    'Espera y ejecuta el comando otra vez. Con un archivo, --rate mantiene la ejecución bajo el límite.',
  'the service failed (5xx), or its answer does not follow the specification, for example because it is a redirect or not a PDF':
    'el servicio falló (5xx), o su respuesta no sigue la especificación, por ejemplo porque es una redirección o no es un PDF',
  'Run the command again later; bnpl smoke shows whether the service answers as specified.':
    'Ejecuta el comando otra vez más tarde; bnpl smoke muestra si el servicio responde como se especificó.',
  'no connection, a TLS failure, a time-out or a broken connection. It is safe to repeat the command':
    'sin conexión, un fallo de TLS, tiempo máximo cumplido o conexión cortada. Repetir el comando es seguro',
  'Run the command again. If that fails too, run bnpl doctor.':
    'Ejecuta el comando otra vez. Si también falla, ejecuta bnpl doctor.',
  'a signature, an --expect option, a smoke check or a receiver test failed, or no check ran':
    'falló una firma, una opción --expect, una verificación de smoke o una prueba de un receptor, o no se ejecutó ninguna verificación',
  'Read the output, which says what differs, or why no check ran.':
    'Lee la salida, que dice qué difiere, o por qué no se ejecutó ninguna verificación.',
  'a run over a file or over several ids ended, and some of the rows or ids failed':
    'terminó una ejecución sobre un archivo o varios ids, y algunas filas o ids fallaron',
  'Run the failed rows or ids again. A run over a file writes its failed rows to a separate file.':
    'Ejecuta otra vez las filas o los ids que fallaron. Una ejecución sobre un archivo escribe sus filas fallidas en un archivo aparte.',
  'a call that is not safe to repeat was sent, and no clear answer arrived, so the service may have carried it out':
    'se envió una llamada que no se puede repetir sin riesgo, y no llegó una respuesta clara, así que el servicio puede haberla realizado',
  'Do not run the command again yet. The hint of the error says how to find out what happened.':
    'No ejecutes el comando otra vez todavía. El consejo del error dice cómo averiguar qué pasó.',
  'the result could not be written (a full disk, a closed device); what the command already did is not undone':
    'el resultado no se pudo escribir (disco lleno, dispositivo cerrado); lo que el comando ya hizo no se deshace',
  'Free some space. Check what the command has already done before you run it again.':
    'Libera espacio. Revisa lo que el comando ya hizo antes de ejecutarlo otra vez.',
  'Finished work is kept. A call that was not answered may have been carried out':
    'Lo terminado se conserva. Una llamada sin respuesta puede haberse realizado',
  'Read the error. If it says that the call may have been carried out, do not run the command again yet, and do what its hint says. Otherwise run the command again. A run over a file continues with --resume.':
    'Lee el error. Si dice que la llamada puede haberse realizado, no ejecutes el comando otra vez todavía, y sigue su consejo. Si no, ejecuta el comando otra vez. Una ejecución sobre un archivo sigue con --resume.',
  'the command succeeded, and its result is completely written':
    'el comando terminó bien, y su resultado está escrito por completo',
  'Do nothing.': 'No hagas nada.',
  '`bnpl sandbox run` could not run the command after --, for example because its file is not executable':
    '`bnpl sandbox run` no pudo ejecutar el comando después de --, por ejemplo porque su archivo no es ejecutable',
  'Read the error, which names the reason. Check the permissions of the file.':
    'Lee el error, que nombra el motivo. Revisa los permisos del archivo.',
  '`bnpl sandbox run` did not find the command after --': '`bnpl sandbox run` no encontró el comando después de --',
  'Check the name of the command, and PATH.': 'Revisa el nombre del comando, y PATH.',
  'the terminal was closed. {MAYBE_DONE}': 'el terminal se cerró. {MAYBE_DONE:text}',
  '{AFTER_SIGNAL} If you cannot see the error any more, find out what happened before you run the command again.':
    '{AFTER_SIGNAL:text} Si ya no puedes ver el error, averigua qué pasó antes de ejecutar el comando otra vez.',
  'you pressed Ctrl-C. {MAYBE_DONE}': 'presionaste Ctrl-C. {MAYBE_DONE:text}',
  'the program that read the output closed the pipe (| head)':
    'el programa que leía la salida cerró la tubería (| head)',
  'Do nothing: this is not an error.': 'No hagas nada: esto no es un error.',
  'another process asked the program to end. {MAYBE_DONE}':
    'otro proceso pidió al programa que terminara. {MAYBE_DONE:text}',
  'status and code of the answer to a body that is not as expected (a missing or unknown field, an amount with other characters than digits, broken JSON)':
    'estado y código de la respuesta a un cuerpo que no es como se espera (un campo que falta o es desconocido, un monto con caracteres que no son dígitos, JSON roto)',
  '400 `ERR_INVALID_REQUEST` with the name of the field. For a body that is neither form nor JSON, 415 `ERR_UNSUPPORTED_MEDIA_TYPE`':
    '400 `ERR_INVALID_REQUEST` con el nombre del campo. Para un cuerpo que no es formulario ni JSON, 415 `ERR_UNSUPPORTED_MEDIA_TYPE`',
  'whether a widget session needs an evaluation before it': 'si una sesión de widget necesita una evaluación previa',
  'no. A session belongs to the evaluation of `preApproveId`, otherwise to the latest approved evaluation of the transaction. Without both, the page asks for the national id and evaluates the customer. The token is then refreshed, and its time starts again. A customer who leaves before that returns with `preApproveId=undefined`':
    'no. Una sesión pertenece a la evaluación de `preApproveId`, si no a la última evaluación aprobada de la transacción. Sin ambas, la página pide el RUT y evalúa al cliente. El token se renueva entonces, y su tiempo empieza otra vez. Un cliente que se va antes vuelve con `preApproveId=undefined`',
  'when a widget session is not accepted, and what is in `widgetToken` then':
    'cuándo no se acepta una sesión de widget, y qué contiene entonces `widgetToken`',
  'a session is not accepted if the transaction already has a loan. `widgetToken` is then null':
    'una sesión no se acepta si la transacción ya tiene un crédito. `widgetToken` es entonces null',
  'whether a transaction can be evaluated more than once, and whether the chosen installment option can be reported more than once':
    'si una transacción se puede evaluar más de una vez, y si la opción de cuotas elegida se puede informar más de una vez',
  'yes, any number of times. Only the latest evaluation and the latest reported option count. After the transaction got its loan, the answer is 409 `ERR_TRANSACTION_ALREADY_PAID`, because an account has at most one loan for an `externalTrxId`':
    'sí, cualquier cantidad de veces. Solo cuentan la última evaluación y la última opción informada. Cuando la transacción tiene su crédito, la respuesta es 409 `ERR_TRANSACTION_ALREADY_PAID`, porque una cuenta tiene como máximo un crédito por `externalTrxId`',
  'the period of `interestRate`, how the installments are calculated from it, and which day `transferDate` is':
    'el período de `interestRate`, cómo se calculan las cuotas con ella, y qué día es `transferDate`',
  '0.0189 a month. The installments are equal (annuity), except that the last one includes the rounding difference. `transferDate` is the day of the payment in Chile (America/Santiago). The installments are due monthly after this day':
    '0.0189 al mes. Las cuotas son iguales (sistema francés), salvo que la última incluye la diferencia de redondeo. `transferDate` es el día del pago en Chile (America/Santiago). Las cuotas vencen cada mes después de ese día',
  'codes of a refused evaluation, selection or widget session':
    'códigos de una evaluación, elección o sesión de widget rechazada',
  'the answer to an inactive account on endpoints other than the informe endpoint':
    'la respuesta a una cuenta inactiva en endpoints distintos al de informes',
  '403 `ERR_PARTNER_INACTIVE`, as on the informe endpoint':
    '403 `ERR_PARTNER_INACTIVE`, como en el endpoint de informes',
  'the answer to the registration of an eleventh destination (ten are allowed), the answer to an address that is not https, and whether an address may be registered twice':
    'la respuesta al registro de un undécimo destino (se permiten diez), la respuesta a una dirección que no es https, y si una dirección se puede registrar dos veces',
  '422 `ERR_WEBHOOK_LIMIT_REACHED`, `ERR_WEBHOOK_URL_NOT_HTTPS`, and `ERR_WEBHOOK_URL_PRIVATE` for an address that no delivery could reach. An address may be registered twice, and each registration counts towards the limit':
    '422 `ERR_WEBHOOK_LIMIT_REACHED`, `ERR_WEBHOOK_URL_NOT_HTTPS`, y `ERR_WEBHOOK_URL_PRIVATE` para una dirección a la que ninguna entrega podría llegar. Una dirección se puede registrar dos veces, y cada registro cuenta para el límite',
  'error code of the 403 when an account does not have the evaluation module, and error codes when an event or a filter does not exist':
    'código de error del 403 cuando una cuenta no tiene el módulo de evaluación, y códigos de error cuando un evento o un filtro no existe',
  '403 `ERR_PARTNER_MODULE_REQUIRED`, with a message that names the evaluation module. 422 `ERR_INVALID_EVENT_TYPES` and 422 `ERR_INVALID_FILTERS`':
    '403 `ERR_PARTNER_MODULE_REQUIRED`, con un mensaje que nombra el módulo de evaluación. 422 `ERR_INVALID_EVENT_TYPES` y 422 `ERR_INVALID_FILTERS`',
  'error codes of the informe endpoint with the statuses 400, 401, 403 and 404':
    'códigos de error del endpoint de informes con los estados 400, 401, 403 y 404',
  'whether the endpoints that read evaluations also return the evaluation of a payment, and whether this evaluation has a report':
    'si los endpoints que leen evaluaciones devuelven también la evaluación de un pago, y si esta tiene un informe',
  'yes, they return this evaluation, and it has a report. The contact fields of the evaluation are null':
    'sí, devuelven esta evaluación, y tiene un informe. Sus campos de contacto son null',
  'error codes for an object that does not exist, for a wrong method, for too many requests and for a temporary failure':
    'códigos de error para un objeto que no existe, un método incorrecto, demasiadas llamadas y un fallo temporal',
  'the answer when a report link is opened with an API key':
    'la respuesta cuando el enlace de un informe se abre con una clave de API',
  '`/_storage/informes/{preApproveId}.pdf` under the base address. Refusals are XML, as from S3: 400 `InvalidArgument`, 403 `AccessDenied` and `SignatureDoesNotMatch`, 404 `NoSuchKey`. The file is always sent whole':
    '`/_storage/informes/{preApproveId}.pdf` bajo la dirección base. Los rechazos son XML, como en S3: 400 `InvalidArgument`, 403 `AccessDenied` y `SignatureDoesNotMatch`, 404 `NoSuchKey`. El archivo siempre se envía entero',
  'whether a transaction can also be verified by its `preApproveId`. The section on the payment page tells merchants to do so, but the endpoint has only `externalTrxId`':
    'si una transacción también se puede verificar por su `preApproveId`. La sección sobre la página de pago dice a los comercios que lo hagan, pero el endpoint tiene solo `externalTrxId`',
  'a transaction can be verified by either id. An id that could be both is read as an `externalTrxId`':
    'una transacción se puede verificar por cualquiera de los dos ids. Un id que podría ser ambos se lee como `externalTrxId`',
  'which field contains the list of destinations or leads, and which type their ids have':
    'qué campo contiene la lista de destinos o leads, y de qué tipo son sus ids',
  'the list is `data`. Ids are texts': 'la lista es `data`. Los ids son textos',
  'content type of deliveries': 'tipo de contenido de las entregas',
  'the status of a success (the specification shows only 201 for the BNPL registration, 200 for the informe endpoint and 302 for a report link), and the status when an object does not exist (it shows only 404 for the informe endpoint)':
    'el estado de un éxito (la especificación muestra solo 201 para el registro BNPL, 200 para el endpoint de informes y 302 para el enlace de un informe), y el estado cuando un objeto no existe (muestra solo 404 para el endpoint de informes)',
  '201 for both registrations, 302 for a report link, 200 for every other call, and 404 for an object that does not exist':
    '201 para ambos registros, 302 para el enlace de un informe, 200 para cualquier otra llamada, y 404 para un objeto que no existe',
  'which answers of a receiver mean that it received the delivery':
    'qué respuestas de un receptor significan que recibió la entrega',
  'any 2xx within the time-out': 'cualquier 2xx dentro del tiempo máximo',
  'content type of answers': 'tipo de contenido de las respuestas',
  '`application/json; charset=utf-8`, errors included': '`application/json; charset=utf-8`, también en los errores',
  'type of `eventId`': 'tipo de `eventId`',
  'a UUID, as text': 'un UUID, como texto',
  'whether a loan can be cancelled, and how': 'si un crédito se puede anular, y cómo',
  'yes: `POST …/loan/cancel`, as banca.me publishes it, with an empty body. `refundAmount` in the answer is the sum of the paid installments. Refusals: 404 `ERR_LOAN_NOT_FOUND`, 409 `ERR_LOAN_ALREADY_CANCELLED`, and 422 `ERR_LOAN_CANCEL_PERIOD_OVER` more than 60 days (in Chile) after `transferDate`. The loan and its open installments then have the state `CANCELLED`':
    'sí: `POST …/loan/cancel`, como lo publica banca.me, con el cuerpo vacío. `refundAmount` en la respuesta es la suma de las cuotas pagadas. Rechazos: 404 `ERR_LOAN_NOT_FOUND`, 409 `ERR_LOAN_ALREADY_CANCELLED`, y 422 `ERR_LOAN_CANCEL_PERIOD_OVER` más de 60 días (en Chile) después de `transferDate`. El crédito y sus cuotas abiertas tienen entonces el estado `CANCELLED`',
  'whether an account can have several entities, and which calls add, list and change them':
    'si una cuenta puede tener varias entidades, y qué llamadas las agregan, listan y cambian',
  'field of the evaluation response that contains the pre-approval id':
    'campo de la respuesta a una evaluación que contiene el id de pre-aprobación',
  'loan-request steps other than AUTHORIZATION': 'pasos de una solicitud de crédito distintos de AUTHORIZATION',
  '`READY_FOR_LOAN`, `PAYMENT_SUBSCRIPTION`, `AUTHORIZATION` and `ARCHIVED_FAIL`, as the service banca.me publishes them. A selection is answered with `AUTHORIZATION`':
    '`READY_FOR_LOAN`, `PAYMENT_SUBSCRIPTION`, `AUTHORIZATION` y `ARCHIVED_FAIL`, como los publica el servicio banca.me. Una elección se responde con `AUTHORIZATION`',
  'states of loans and installments other than ACTIVE': 'estados de créditos y cuotas distintos de ACTIVE',
  '`ACTIVE`. A paid installment is `PAID`, and so is a loan whose installments are all paid. For a cancelled loan see gap 50':
    '`ACTIVE`. Una cuota pagada es `PAID`, y también un crédito con todas sus cuotas pagadas. Para un crédito anulado, ver el vacío 50',
  'printed by the sandbox next to the API key': 'el sandbox la imprime junto a la clave de API',
  'installation and usage of the JavaScript widget, and its callbacks other than `onSuccess`':
    'instalación y uso del widget de JavaScript, y sus callbacks distintos de `onSuccess`',
  '`widget.js` has the interface that banca.me publishes (`BancameWidget.create`), and one of its own (`BnplWidget.mount`) with `onSuccess` and the callbacks `onReject`, `onCancel`, `onExpire` and `onError`':
    '`widget.js` tiene la interfaz que publica banca.me (`BancameWidget.create`), y una propia (`BnplWidget.mount`) con `onSuccess` y los callbacks `onReject`, `onCancel`, `onExpire` y `onError`',
  'fields of a destination other than `id`, `url` and `verificationScheme`, and the body of the 201 answer to a registration':
    'campos de un destino distintos de `id`, `url` y `verificationScheme`, y el cuerpo de la respuesta 201 a un registro',
  '`id`, `url`, `verificationScheme` (`HMAC` or `token`, as the specification writes them), `eventTypes`, `filters`, `projectId` and `createdAt`. Only the 201 answer also contains `secret`':
    '`id`, `url`, `verificationScheme` (`HMAC` o `token`, como los escribe la especificación), `eventTypes`, `filters`, `projectId` y `createdAt`. Solo la respuesta 201 contiene además `secret`',
  'HMAC algorithm, encoding and secret': 'algoritmo, codificación y secreto de HMAC',
  'SHA-256 in lower-case hex over the raw body, with a different secret for each destination. The body is JSON with unusual spacing, so a body that was parsed and written again has a different signature':
    'SHA-256 en hexadecimal con minúsculas sobre el cuerpo sin cambios, con un secreto distinto para cada destino. El cuerpo es JSON con espacios poco comunes, así que un cuerpo que se interpretó y escribió otra vez tiene otra firma',
  'how the secret of the token scheme is issued': 'cómo se entrega el secreto del esquema con token',
  'the secret is random. Only the 201 answer to the registration contains it':
    'el secreto es aleatorio. Solo lo contiene la respuesta 201 al registro',
  'shape of `filters`, and name of the project field': 'forma de `filters`, y nombre del campo del proyecto',
  '`filters[outcome]=approved` or `filters[outcome]=rejected` for pre_approve, and the project field `projectId`':
    '`filters[outcome]=approved` o `filters[outcome]=rejected` para pre_approve, y el campo de proyecto `projectId`',
  'encoding of the body of a registration, and of the body of a verification (an empty object)':
    'codificación del cuerpo de un registro, y del cuerpo de una verificación (un objeto vacío)',
  'accepts form and JSON. A missing or empty body counts as an empty object. So do `{}`, `[]` and `null`, with any content type':
    'acepta formulario y JSON. Un cuerpo que falta o está vacío cuenta como objeto vacío. También `{}`, `[]` y `null`, con cualquier tipo de contenido',
  'payload fields of the events': 'campos de los eventos',
  '`loan_approved` contains the terms and the ids of the loan. `new_lead` has 11 fields, and `pre_approve` has 51 fields. All field names except `idPreAprobacion` and `urlInforme` are invented':
    '`loan_approved` contiene las condiciones y los ids del crédito. `new_lead` tiene 11 campos, y `pre_approve` tiene 51. Todos los nombres de campos salvo `idPreAprobacion` y `urlInforme` son inventados',
  'retry counts and time-outs of the events other than new_lead':
    'cantidad de reintentos y tiempos máximos de los eventos que no son new_lead',
  'the time-out is 5 s. There are three retries, after waiting times of 5 s, 30 s and 5 minutes (each ±20 %). You can set other waiting times':
    'el tiempo máximo es 5 s. Hay tres reintentos, después de esperas de 5 s, 30 s y 5 minutos (cada una ±20 %). Puedes definir otras esperas',
  'path of the call that opens a report from its link': 'ruta de la llamada que abre un informe desde su enlace',
  'paths of three calls (evaluation of a lead, list of leads, details of a lead), and the paging and fields of the list of leads':
    'rutas de tres llamadas (evaluación de un lead, lista de leads, detalles de un lead), y la paginación y los campos de la lista de leads',
  'shape of error bodies, and the error codes of most endpoints':
    'forma del cuerpo de los errores, y códigos de error de la mayoría de los endpoints',
  'status for a missing or wrong key on endpoints other than the informe endpoint':
    'estado de una clave que falta o es incorrecta en endpoints distintos al de informes',
  '401 `ERR_UNAUTHORIZED`, or 400 on the informe endpoint, as specified. A beta key in production and a production key in beta are refused in the same way. Each path of the production environment begins with `/production`':
    '401 `ERR_UNAUTHORIZED`, o 400 en el endpoint de informes, como se especificó. Una clave beta en producción y una de producción en beta se rechazan igual. Cada ruta del ambiente de producción empieza con `/production`',
  'rate limits, `Retry-After`': 'límites de llamadas, `Retry-After`',
  '1,000 calls at once, then 250 a second, for each account and endpoint. `Retry-After` is in seconds':
    '1.000 llamadas de una vez, luego 250 por segundo, para cada cuenta y endpoint. `Retry-After` está en segundos',
  'bounds of amount and of installments': 'límites del monto y de las cuotas',
  'amounts from 1,000 to 50,000,000, and options of 3, 6, 12 and 24 installments':
    'montos de 1.000 a 50.000.000, y opciones de 3, 6, 12 y 24 cuotas',
  'calls and answers name no currency. The payment page and the reports write amounts with `$`':
    'las llamadas y respuestas no nombran una moneda. La página de pago y los informes escriben los montos con `$`',
  'response shape of delete': 'forma de la respuesta a un borrado',
  '200 with `data: {}`': '200 con `data: {}`',
  'status of the answer when a transaction without a loan is verified':
    'estado de la respuesta cuando se verifica una transacción sin crédito',
  '404 `ERR_LOAN_NOT_FOUND`. After the customer has given a national id, the error also contains the `step` of the payment and its `preApproveId`':
    '404 `ERR_LOAN_NOT_FOUND`. Cuando el cliente ya dio un RUT, el error contiene además el `step` del pago y su `preApproveId`',
  'in what form errorReturnUrl shows that `preApproveId` is undefined':
    'en qué forma errorReturnUrl muestra que `preApproveId` no está definido',
  'the literal `undefined` if there is no pre-approval': 'el literal `undefined` si no hay pre-aprobación',
  'paths, headers and answers contain no API version':
    'rutas, encabezados y respuestas no contienen una versión de la API',
  'whether the check character of `idNumber` is checked': 'si se comprueba el dígito verificador de `idNumber`',
  'the check character is checked in bodies and in paths. Dots are refused':
    'el dígito verificador se comprueba en cuerpos y rutas. Los puntos se rechazan',
  'form of the widget token, except that it is signed': 'forma del token de widget, salvo que está firmado',
  'JWT, HS256, `exp` 10 minutes': 'JWT, HS256, `exp` 10 minutos',
  'the answer when a customer is not approved': 'la respuesta cuando un cliente no se aprueba',
  'encoding of `eventTypes` in a form': 'codificación de `eventTypes` en un formulario',
  'In a form, `eventTypes` may be repeated, have `[]` or an index, be joined by commas, or be JSON text. A JSON body is accepted too. A single-value field that is sent twice is refused.':
    'En un formulario, `eventTypes` se puede repetir, llevar `[]` o un índice, unirse con comas, o ser texto JSON. También se acepta un cuerpo JSON. Un campo de un solo valor que se envía dos veces se rechaza.',
  'whether a 429 from an endpoint other than the informe endpoint means that the service did nothing':
    'si un 429 de un endpoint distinto al de informes significa que el servicio no hizo nada',
  '429 is answered before anything is done': '429 se responde antes de hacer nada',
  'it must be one of {part}': 'debe ser uno de {part}',
  'it must be yes or no': 'debe ser yes o no',
  'it must consist of letters, digits, “_”, “.” and “-”': 'debe consistir en letras, dígitos, «_», «.» y «-»',
  'it must be letters, digits, “_” and “-”, such as evt_, or none':
    'deben ser letras, dígitos, «_» y «-», como evt_, o none',
  'it must be the name of a header, such as service-signature':
    'debe ser el nombre de un encabezado, como service-signature',
  'it must be a media type, such as application/json': 'debe ser un tipo de contenido, como application/json',
  'it must be a path such as /partner/leads': 'debe ser una ruta como /partner/leads',
  'it must not contain braces': 'no debe contener llaves',
  'it must contain {{parameter}} where the {what} belongs': 'debe contener {{parameter}} donde va {what:text}',
  'it may contain only {{parameter}} in braces, and only once':
    'solo puede contener {{parameter}} entre llaves, y una sola vez',
  'it must be a code such as ACTIVE': 'debe ser un código como ACTIVE',
  'it must be codes such as ACTIVE,PAID': 'deben ser códigos como ACTIVE,PAID',
  'it must be whole numbers such as 3,6,12': 'deben ser números enteros como 3,6,12',
  'it must be two whole numbers such as 1000-50000': 'deben ser dos números enteros como 1000-50000',
  'it must be a duration such as 5m, or none': 'debe ser una duración como 5m, o none',
  'it must be a duration such as 5s': 'debe ser una duración como 5s',
  'it must be up to 20 durations such as 5s,30s,5m, or none': 'deben ser hasta 20 duraciones como 5s,30s,5m, o none',
  'it must be a rate such as 100/1m, or calls at once and a rate such as 1000+250/1s':
    'debe ser un ritmo como 100/1m, o llamadas de una vez y un ritmo como 1000+250/1s',
  'it must be statuses from 400 to 499 (not 401, 403 or 429), the word “empty”, or both, such as 404,409,422,empty':
    'deben ser estados de 400 a 499 (no 401, 403 ni 429), la palabra «empty», o ambos, como 404,409,422,empty',
  'it must be an https address, or none': 'debe ser una dirección https, o none',
  'its “service” is not a text': 'su «service» no es un texto',
  'the entity is the one that the account has from its beginning, which cannot be changed':
    'la entidad es la que la cuenta tiene desde su comienzo, y no se puede cambiar',
  'Add another entity with bnpl entities add{end}, and use that one.':
    'Agrega otra entidad con bnpl entities add{end}, y usa esa.',
  'Where the recordings answer nothing, the description has the answers of {base}, the service of the profile.':
    'Donde las grabaciones no responden nada, la descripción tiene las respuestas de {base}, el servicio del perfil.',
  'the service of the profile is not known, so the description follows the specification: {message}':
    'el servicio del perfil no se conoce, así que la descripción sigue la especificación: {message:text}',
  'yes: `POST /partner/entity`, as banca.me publishes it, `GET /partner/entity` and `PATCH /partner/entity/{entityId}`, with bodies in JSON. An entity is answered with its `id`. A label or an `externalEntityId` that the account has already is refused with 428 `ERR_ENTITY_EXISTS`. The list begins with the account’s own entity, which cannot be changed (422 `ERR_ENTITY_OF_ACCOUNT`). An evaluation or a widget session for an inactive entity is refused with 422 `ERR_ENTITY_INACTIVE`. A session that was started before stays open, so its customer can still pay':
    'sí: `POST /partner/entity`, como lo publica banca.me, `GET /partner/entity` y `PATCH /partner/entity/{entityId}`, con cuerpos en JSON. Una entidad se responde con su `id`. Una etiqueta o un `externalEntityId` que la cuenta ya tiene se rechaza con 428 `ERR_ENTITY_EXISTS`. La lista comienza con la entidad propia de la cuenta, que no se puede cambiar (422 `ERR_ENTITY_OF_ACCOUNT`). Una evaluación o una sesión del widget para una entidad inactiva se rechaza con 422 `ERR_ENTITY_INACTIVE`. Una sesión iniciada antes sigue abierta, así que su cliente aún puede pagar',
  'The interface of a deferred-payment service for merchants, as bnpl knows it':
    'La interfaz de un servicio de pago diferido para comercios, como la conoce bnpl',
  'Generated from the contract with which bnpl checks every answer. What the specification does not show is marked `x-not-shown`; `bnpl contract gaps` lists it.':
    'Generado del contrato con el que bnpl verifica cada respuesta. Lo que la especificación no muestra está marcado con `x-not-shown`; `bnpl contract gaps` lo lista.',
  'What the specification shows, and a service may do differently':
    'Lo que la especificación muestra, y un servicio puede hacer de otro modo',
  'where the publicKey comes from': 'de dónde viene la publicKey',
  'where the signed link of a report leads, how the storage at that address refuses a request, and whether it can send only a part of a report (a range request)':
    'adónde lleva el enlace firmado de un informe, cómo rechaza una solicitud el almacenamiento de esa dirección, y si puede enviar solo una parte de un informe (una solicitud con Range)',
}
