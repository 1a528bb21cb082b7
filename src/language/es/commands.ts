import type { Catalogue } from '../packing.ts'

export const commands: Catalogue = {
  '--active “{text}” is neither yes nor no': '--active «{text}» no es yes ni no',
  '--log “{asked}” is not known': '--log «{asked}» no existe',
  '--wait “{wait}” is not a duration': '--wait «{wait}» no es una duración',
  Label: 'Etiqueta',
  Active: 'Activa',
  'Help:': 'Ayuda:',
  'Examples:': 'Ejemplos:',
  'Webhooks:': 'Webhooks:',
  'path under the base address, such as /partner/webhook': 'ruta bajo la dirección base, como /partner/webhook',
  'add a field to the form (with GET: to the query); repeatable':
    'agrega un campo al formulario (con GET: a la consulta); se puede repetir',
  'send this file as the body, JSON or a form; `-` for stdin':
    'envía este archivo como cuerpo, JSON o formulario; `-` para stdin',
  'show the status and the headers before the body': 'muestra el estado y los encabezados antes del cuerpo',
  'print the answer byte for byte, also where it repeats your key':
    'imprime la respuesta byte por byte, también donde repite tu clave',
  'The body of the answer is printed to stdout as the service sent it, even if the status is an error. A key or secret of this run is masked in it, and so is the address of the caller (ip) in an error. With --raw, nothing is masked.':
    'El cuerpo de la respuesta se imprime en stdout como lo envió el servicio, aunque el estado sea un error. Una clave o un secreto de esta ejecución aparece enmascarado, y también la dirección de quien llama (ip) en un error. Con --raw no se enmascara nada.',
  'The exit code says whether the call succeeded.': 'El código de salida dice si la llamada fue exitosa.',
  'the registered destinations, as the service sends them': 'los destinos registrados, como los envía el servicio',
  'send a form': 'enviar un formulario',
  'send JSON from a file': 'enviar JSON desde un archivo',
  '“{method}” is not a known HTTP method': '«{method}» no es un método HTTP conocido',
  'Use one of: {part}.': 'Usa uno de: {part}.',
  'the value of a --field is not key=value': 'el valor de un --field no es clave=valor',
  'Write the option as -f url=https://shop.example/hooks': 'Escribe la opción como -f url=https://shop.example/hooks',
  '--field and --input cannot be used together, because both set the body':
    '--field y --input no se pueden usar juntas, porque ambas definen el cuerpo',
  'Use only --field, or only --input.': 'Usa solo --field, o solo --input.',
  'a {method} request has no body': 'una solicitud {method} no tiene cuerpo',
  'Add query parameters with -f key=value.': 'Agrega parámetros a la consulta con -f key=value.',
  'The answer repeats a key or secret of this run, which is masked here. Print it as sent with --raw.':
    'La respuesta repite una clave o un secreto de esta ejecución, que aquí aparece enmascarado. Imprímela como se envió con --raw.',
  'the body of the answer is not text, so it cannot be shown on a terminal':
    'el cuerpo de la respuesta no es texto, así que no se puede mostrar en un terminal',
  'Write the body to a file: … > answer.bin': 'Escribe el cuerpo en un archivo: … > answer.bin',
  'your transaction id': 'tu id de transacción',
  'missing transaction id': 'falta el id de transacción',
  'Give the id as an argument, or name a file of ids: --from FILE':
    'Indica el id como argumento, o un archivo de ids: --from FILE',
  'this command asks before it cancels a loan, but this run cannot ask questions; nothing was sent':
    'este comando pregunta antes de anular un crédito, pero esta ejecución no puede preguntar; no se envió nada',
  'Add --yes to confirm in advance.': 'Agrega --yes para confirmar de antemano.',
  'The loan is verified and shown, then you are asked. --yes answers the question.':
    'Primero muestra el crédito, y luego pregunta. --yes responde que sí.',
  'The specification does not have this call. The sandbox has it, and banca.me publishes it, for 60 days after the transfer of the loan.':
    'La especificación no tiene esta llamada. El sandbox la tiene, y banca.me la publica, por 60 días desde la transferencia del crédito.',
  'Columns of the file for --from: externalTrxId (or trx, order, pedido …).':
    'Columnas del archivo de --from: externalTrxId (o trx, order, pedido …).',
  'cancel a loan of the sandbox': 'anular un crédito del sandbox',
  'every transaction of a file': 'todas las transacciones de un archivo',
  'not known': 'desconocido',
  Transaction: 'Transacción',
  Loan: 'Crédito',
  Refund: 'Devolución',
  'the answer to the cancellation was lost, so its refundAmount is not known. The loan is cancelled: its state is now {state}':
    'se perdió la respuesta a la anulación, así que no se conoce su refundAmount. El crédito está anulado: su estado es ahora {state}',
  'the answer does not say how much the customer gets back': 'la respuesta no dice cuánto recupera el cliente',
  'the service gives {refundAmount} back, but the paid installments of the loan are {amount} together':
    'el servicio devuelve {refundAmount}, pero las cuotas pagadas del crédito suman {amount}',
  'The loan of {externalTrxId} is cancelled. See it: {context}':
    'El crédito de {externalTrxId} está anulado. Míralo: {context}',
  'the answer is about {externalTrxId}, not about {externalTrxId2}':
    'la respuesta es sobre {externalTrxId}, no sobre {externalTrxId2}',
  'Give the id of the transaction itself: {externalTrxId}. Nothing was cancelled.':
    'Indica el id de la propia transacción: {externalTrxId}. No se anuló nada.',
  'the loan of {externalTrxId} is already cancelled; nothing was sent':
    'el crédito de {externalTrxId} ya está anulado; no se envió nada',
  'See the loan: {context}': 'Mira el crédito: {context}',
  '{message}; nothing was cancelled': '{message:text}; no se anuló nada',
  'Check the transaction id. A transaction has a loan only after the customer has paid. See the transactions of this machine: {context}':
    'Revisa el id de transacción. Una transacción tiene crédito solo después de que el cliente pagó. Mira las transacciones de este equipo: {context}',
  'Find out whether the loan was cancelled before you run the command again: {context}':
    'Averigua si el crédito fue anulado antes de ejecutar el comando otra vez: {context}',
  'the loan of {externalTrxId} was not cancelled: the call got no clear answer ({part}), and the loan is still {state}':
    'el crédito de {externalTrxId} no fue anulado: la llamada no tuvo una respuesta clara ({part:text}), y el crédito sigue {state}',
  'Run the command again. That is safe, because it verifies the loan first.':
    'Ejecuta el comando otra vez. Es seguro, porque primero verifica el crédito.',
  'The loan of {externalTrxId}: {loanAmount}, {state}, transferred on {transferDate}.':
    'El crédito de {externalTrxId}: {loanAmount}, {state}, transferido el {transferDate}.',
  'The customer has paid no installment, so there is nothing to give back.':
    'El cliente no pagó ninguna cuota, así que no hay nada que devolver.',
  'The customer has paid {count} of {periods}: {amount}.': 'El cliente pagó {count} de {periods:text}: {amount}.',
  '{daysLeft} of {CANCEL_DAYS} days are left to cancel it.': 'Quedan {daysLeft} de {CANCEL_DAYS} días para anularlo.',
  'the {CANCEL_DAYS} days in which a loan can be cancelled were over {part} ago, so the service will probably refuse':
    'los {CANCEL_DAYS} días en que se puede anular un crédito terminaron hace {part:text}, así que el servicio probablemente lo rechazará',
  'cancel the loan of {externalTrxId}': 'anular el crédito de {externalTrxId}',
  'Cancel the loan of {externalTrxId}?': '¿Anular el crédito de {externalTrxId}?',
  "DURATION cannot be negative, because the sandbox's time only moves ahead":
    'DURATION no puede ser negativa, porque la hora del sandbox solo avanza',
  'Give a duration such as 11m. To return to an earlier state, load a snapshot: bnpl sandbox snapshot load NAME':
    'Indica una duración como 11m. Para volver a un estado anterior, recupera una instantánea: bnpl sandbox snapshot load NAME',
  'A payment:': 'Un pago:',
  'Real estate:': 'Inmobiliarias:',
  'This machine:': 'Este equipo:',
  'The service:': 'El servicio:',
  'make a complete payment, step by step': 'hace un pago completo, paso a paso',
  'evaluate a customer and show the installment options': 'evalúa a un cliente y muestra las opciones de cuotas',
  'tell the service which option the customer chose': 'informa al servicio qué opción eligió el cliente',
  'print the address of the hosted payment page': 'imprime la dirección de la página de pago',
  'verify transactions: loan, state and schedule': 'verifica transacciones: crédito, estado y calendario de cuotas',
  'cancel a loan, and show what the customer gets back': 'anula un crédito, y muestra cuánto recupera el cliente',
  'entities of the account: list, add, change': 'entidades de la cuenta: listar, agregar, cambiar',
  'list leads, or show one': 'lista los leads, o muestra uno',
  'show the evaluation of a lead or a national id': 'muestra la evaluación de un lead o de un RUT',
  'evaluation reports (PDF): get a link, download, open':
    'informes de evaluación (PDF): obtener un enlace, descargar, abrir',
  'register destinations, receive events, test receivers': 'registra destinos, recibe eventos, prueba receptores',
  'run the whole service on this machine, and control it': 'ejecuta todo el servicio en este equipo, y lo controla',
  'The sandbox:': 'El sandbox:',
  'accounts of the service: list, add, choose, change': 'cuentas del servicio: listar, agregar, elegir, cambiar',
  'transactions and reports in the history of this machine': 'transacciones e informes en el historial de este equipo',
  'checks for CI: does the service answer as specified?':
    'verificaciones para CI: ¿responde el servicio como se especificó?',
  'make any call, with the key of the profile': 'hace cualquier llamada, con la clave del perfil',
  'pass calls between your program and the service, and report what differs from the contract':
    'pasa llamadas entre tu programa y el servicio, e informa qué difiere del contrato',
  'explain a code, a status or an exit code': 'explica un código, un estado o un código de salida',
  'the contract with the service: OpenAPI, and the gaps in the specification':
    'el contrato con el servicio: OpenAPI, y los vacíos de la especificación',
  'find out why commands fail': 'averigua por qué fallan los comandos',
  'find out why a command fails': 'averiguar por qué falla un comando',
  'print the completion script for bash, zsh, fish or PowerShell':
    'imprime el script de autocompletado para bash, zsh, fish o PowerShell',
  'print the words that can come next, for the completion scripts':
    'imprime las palabras que pueden seguir, para los scripts de autocompletado',
  'leave out the checks that need the network': 'omite las verificaciones que necesitan la red',
  'check a profile without using the network': 'revisar un perfil sin usar la red',
  'bnpl {version}, Node {node} on {platform} {arch}': 'bnpl {version}, Node {node} en {platform} {arch}',
  'config folder': 'carpeta de configuración',
  'state folder': 'carpeta de estado',
  'TLS checking': 'verificación TLS',
  'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off':
    'NODE_TLS_REJECT_UNAUTHORIZED=0 apaga la verificación de certificados',
  'Unset that variable. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.':
    'Quita esa variable. Para una autoridad certificadora privada, define NODE_EXTRA_CA_CERTS con el archivo de su certificado.',
  'certificates are checked': 'los certificados se verifican',
  'extra authorities': 'autoridades adicionales',
  'debug output': 'salida de depuración',
  'Set {variable} to another folder.': 'Define {variable} con otra carpeta.',
  '{path} cannot be created ({error})': 'no se puede crear {path} ({error:text})',
  '{path} (does not exist yet, and is created when it is needed)':
    '{path} (todavía no existe, y se crea cuando se necesita)',
  '{path} is a symbolic link': '{path} es un enlace simbólico',
  'Set {variable} to the real folder.': 'Define {variable} con la carpeta real.',
  '{path} is not a folder': '{path} no es una carpeta',
  'bnpl cannot read {path}, or cannot write to it': 'bnpl no puede leer {path}, o no puede escribir en ella',
  'Correct its permissions, or set {variable} to another folder.':
    'Corrige sus permisos, o define {variable} con otra carpeta.',
  '{path} is accessible to other users (mode {part})': 'otros usuarios tienen acceso a {path} (modo {part})',
  'Run: {part} (the next command that reads the folder also sets this mode). If the mode stays the same, the disk stores no modes: set {variable} to a folder on another disk.':
    'Ejecuta: {part} (el próximo comando que lea la carpeta también define este modo). Si el modo sigue igual, el disco no guarda modos: define {variable} con una carpeta en otro disco.',
  'NODE_EXTRA_CA_CERTS names {path}, which cannot be read': 'NODE_EXTRA_CA_CERTS nombra {path}, que no se puede leer',
  'Correct the path. Without this file Node refuses the certificates of your private authority.':
    'Corrige la ruta. Sin este archivo, Node rechaza los certificados de tu autoridad privada.',
  'NODE_DEBUG={NODE_DEBUG} prints every request with its key':
    'NODE_DEBUG={NODE_DEBUG} imprime cada llamada con su clave',
  'Unset NODE_DEBUG. Use --verbose instead, which masks secrets.':
    'Quita NODE_DEBUG. Usa --verbose, que enmascara los secretos.',
  'base address': 'dirección base',
  'Set BNPL_BASE_URL, or run: {part}': 'Define BNPL_BASE_URL, o ejecuta: {part}',
  'API key': 'clave de API',
  'not set': 'sin definir',
  'Set BNPL_API_KEY, or run: {part}': 'Define BNPL_API_KEY, o ejecuta: {part}',
  '{value} (from {source})': '{value} ({source:text})',
  'payment address': 'dirección de pago',
  'Before you open a payment page, run: {part}': 'Antes de abrir una página de pago, ejecuta: {part}',
  'public key': 'clave pública',
  'entity id': 'id de entidad',
  'Before you evaluate a customer or create a widget token, run: {part}':
    'Antes de evaluar a un cliente o crear un token de widget, ejecuta: {part}',
  'webhook secrets': 'secretos de webhooks',
  'none: every setting comes from the environment': 'ninguno: toda la configuración viene del ambiente',
  'Add your account: bnpl profiles add NAME. Or try the sandbox: bnpl doctor -p sandbox':
    'Agrega tu cuenta: bnpl profiles add NAME. O prueba el sandbox: bnpl doctor -p sandbox',
  '{value}, {value2} (from {source})': '{value}, {value2} ({source:text})',
  'This is production: a command that changes something asks first.':
    'Este es el ambiente de producción: un comando que cambia algo pregunta primero.',
  'key is accepted': 'la clave se acepta',
  '{host} answers': '{host} responde',
  'payment page': 'página de pago',
  'Set BNPL_API_KEY to a key of this service and environment.':
    'Define BNPL_API_KEY con una clave de este servicio y ambiente.',
  'Store a key of this service and environment: {part}': 'Guarda una clave de este servicio y ambiente: {part}',
  'running at {baseUrl}': 'en marcha en {baseUrl}',
  'embedded in this process, so no server needs to run': 'incluido en este proceso, así que no hace falta un servidor',
  'Check the port, and that the service is up.': 'Revisa el puerto, y que el servicio esté en marcha.',
  'Check the address and the DNS.': 'Revisa la dirección y el DNS.',
  'Try again. If it fails again, ask the operator of the service.':
    'Prueba otra vez. Si vuelve a fallar, pregunta al operador del servicio.',
  '{protocol}, issued by {issuer}, valid for {left}': '{protocol}, emitido por {issuer}, válido por {left:text}',
  'Ask the operator of the service to renew the certificate soon.':
    'Pide pronto al operador del servicio que renueve el certificado.',
  'agrees with the service': 'coincide con el servicio',
  '{off} ahead of the service': '{off:text} adelantado respecto del reloj del servicio',
  '{off} behind the service': '{off:text} atrasado respecto del reloj del servicio',
  'Correct the clock of this machine. Until then, expiry times are wrong by this difference.':
    'Corrige el reloj de este equipo. Mientras tanto, las horas de vencimiento están mal en esta diferencia.',
  'Entities keep merchants, projects or shops of one account apart: the id of an entity is the --entity-id of an evaluation. The specification does not have these calls. The sandbox has them, and banca.me publishes them, but not the paths that list and change entities: set these with paths.entities and paths.entity.':
    'Las entidades separan comercios, proyectos o tiendas de una cuenta: el id de una entidad es el --entity-id de una evaluación. La especificación no tiene estas llamadas. El sandbox las tiene, y banca.me las publica, pero no las rutas que listan y cambian entidades: defínelas con paths.entities y paths.entity.',
  'the entities of the sandbox': 'las entidades del sandbox',
  'list the entities of this account': 'lista las entidades de esta cuenta',
  'No entities yet.': 'Todavía no hay entidades.',
  'add an entity to this account': 'agrega una entidad a esta cuenta',
  'your own id of the entity': 'tu propio id de la entidad',
  'name of the entity': 'nombre de la entidad',
  'short name, which no other entity of the account has': 'nombre corto, que ninguna otra entidad de la cuenta tiene',
  'whether the entity can be used': 'si la entidad se puede usar',
  'succeed if the entity exists already': 'termina bien si la entidad ya existe',
  'add the entity {label}': 'agregar la entidad {label}',
  'The entity exists already, and was not changed.': 'La entidad ya existe, y no se cambió.',
  'an entity of the sandbox, in a script that may run twice':
    'una entidad del sandbox, en un script que puede ejecutarse dos veces',
  'change the name of an entity, or whether it is active': 'cambia el nombre de una entidad, o si está activa',
  'id of the entity': 'id de la entidad',
  'new name': 'nombre nuevo',
  'there is nothing to change': 'no hay nada que cambiar',
  'Add --name or --active.': 'Agrega --name o --active.',
  'change the entity {entityId}': 'cambiar la entidad {entityId}',
  'See all entities: {context}': 'Mira todas las entidades: {context}',
  'an entity that is no longer used': 'una entidad que ya no se usa',
  'Write --active yes or --active no.': 'Escribe --active yes o --active no.',
  '{option} is empty, too long, or contains a control character':
    '{option} está vacío, es demasiado largo, o contiene un carácter de control',
  'Write a name of at most 200 characters.': 'Escribe un nombre de 200 caracteres como máximo.',
  "the customer's national id (RUT), such as 12345678-5": 'el RUT del cliente, como 12345678-5',
  'amount to finance, in whole currency units': 'monto a financiar, en unidades enteras de la moneda',
  'merchant entity id (default: from the profile)': 'id de entidad del comercio (por defecto: del perfil)',
  'your transaction id (default: a new one is created)': 'tu id de transacción (por defecto: se crea uno nuevo)',
  'accept a RUT with a wrong check digit': 'acepta un RUT con el dígito verificador incorrecto',
  'missing {part}': 'falta {part:list}',
  'Add the missing values, or name a file of customers: --from FILE':
    'Agrega los valores que faltan, o indica un archivo de clientes: --from FILE',
  'This is not the first evaluation of {externalTrxId}. The new pre-approval replaces the earlier one.':
    'Esta no es la primera evaluación de {externalTrxId}. La nueva pre-aprobación reemplaza a la anterior.',
  'Evaluate another amount, or offer the customer another way to pay.':
    'Evalúa otro monto, u ofrece al cliente otra forma de pago.',
  'Next: {context}': 'Sigue: {context}',
  'Columns of the file for --from: rut (or idNumber), amount (or monto), externalTrxId (or trx, order, pedido …), entityId. Only entityId is optional: a file needs the transaction ids, because none are created for its rows. The check digit of the RUT may have its own column (dv). Amounts in a file have no separators. docs/files.md lists all names.':
    'Columnas del archivo de --from: rut (o idNumber), amount (o monto), externalTrxId (o trx, order, pedido …), entityId. Solo entityId es opcional: un archivo necesita los ids de transacción, porque no se crean para sus filas. El dígito verificador del RUT puede tener su propia columna (dv). Los montos de un archivo van sin separadores. docs/files.md lista todos los nombres.',
  'a customer of the sandbox who is approved': 'un cliente del sandbox que queda aprobado',
  'use your own transaction id, in a script': 'usar tu propio id de transacción, en un script',
  'every customer of a file': 'todos los clientes de un archivo',
  'The transaction id of this call is {externalTrxId}.': 'El id de transacción de esta llamada es {externalTrxId}.',
  'show the latest evaluation of a national id, or the evaluation of a lead':
    'muestra la última evaluación de un RUT, o la evaluación de un lead',
  "the lead's id (needs the profile setting paths.evaluationByLead)":
    'el id del lead (necesita la configuración paths.evaluationByLead del perfil)',
  'Save the report: {context}': 'Guarda el informe: {context}',
  'find by national id (after bnpl sandbox lead --rut 11222333-9 --now)':
    'buscar por RUT (después de bnpl sandbox lead --rut 11222333-9 --now)',
  'print one field of a lead’s evaluation, for a script':
    'imprimir un campo de la evaluación de un lead, para un script',
  'exactly one of --rut and --lead-id is needed': 'hace falta --rut o --lead-id, y solo una de las dos',
  'Use --rut with the national id, or --lead-id with the id of the lead.':
    'Usa --rut con el RUT, o --lead-id con el id del lead.',
  'See whether the lead exists: {context}': 'Mira si el lead existe: {context}',
  "Wait, or move the sandbox's time ahead: bnpl sandbox clock advance 1m. The evaluation of a lead may not be finished yet. See the leads: {leads}":
    'Espera, o adelanta la hora del sandbox: bnpl sandbox clock advance 1m. Puede que la evaluación de un lead todavía no termine. Mira los leads: {leads}',
  'Try again later, because the evaluation of a lead may not be finished yet. See the leads: {leads}':
    'Prueba más tarde, porque puede que la evaluación de un lead todavía no termine. Mira los leads: {leads}',
  'ERR_… or INVALID_…, a status such as 403, an exit code, or a kind such as outcome-unknown':
    'ERR_… o INVALID_…, un estado como 403, un código de salida, o un tipo como outcome-unknown',
  'bnpl explain CODE also knows the codes of bnpl’s own errors, such as INVALID_RUT.':
    'bnpl explain CODE conoce también los códigos de los errores del propio bnpl, como INVALID_RUT.',
  'a code of the service': 'un código del servicio',
  'a status, on every endpoint that documents it': 'un estado, en cada endpoint que lo documenta',
  'an exit code: how a command ended': 'un código de salida: cómo terminó un comando',
  'a code of bnpl, not of the service, as --json prints it':
    'un código de bnpl, no del servicio, como lo imprime --json',
  'every code and every kind of error': 'todos los códigos y todos los tipos de error',
  '“{code}” is not a known code{code2}': '«{code}» no es un código conocido{code2:text}',
  'See every known code: bnpl explain. The specification shows few codes, so the service may have others. The message of the service says what happened.':
    'Mira todos los códigos conocidos: bnpl explain. La especificación muestra pocos códigos, así que el servicio puede tener otros. El mensaje del servicio dice qué pasó.',
  'Check the spelling. If an error has this code, read its message and its hint, or explain its kind, for example: bnpl explain usage':
    'Revisa cómo está escrito. Si un error tiene este código, lee su mensaje y su consejo, o mira la explicación de su tipo, por ejemplo: bnpl explain usage',
  'Give a code that begins with ERR_, a status such as 403, an exit code, or a kind of error. See all of them: bnpl explain':
    'Indica un código que empiece con ERR_, un estado como 403, un código de salida, o un tipo de error. Míralos todos: bnpl explain',
  'exit {code} ({kind})': 'salida {code} ({kind})',
  Means: 'Qué es',
  Do: 'Haz',
  Sandbox: 'Sandbox',
  Exit: 'Salida',
  Code: 'Código',
  'exit {code} {kind}': 'salida {code} {kind}',
  code: 'código',
  'a code that banca.me publishes for the status {status}, without a description':
    'un código que banca.me publica para el estado {status}, sin descripción',
  'Read the message of the service, which says what happened.': 'Lee el mensaje del servicio, que dice qué pasó.',
  'every endpoint': 'todos los endpoints',
  'every other endpoint': 'todos los otros endpoints',
  '; if the call is not safe to repeat, its outcome is unknown (exit 12)':
    '; si la llamada no se puede repetir sin riesgo, su resultado es desconocido (salida 12)',
  'on {where}: {meaning} (the specification does not list this status{there}){unclear}':
    'en {where:text}: {meaning:text} (la especificación no lista este estado{there:text}){unclear:text}',
  exit: 'salida',
  error: 'error',
  'a code of bnpl, not of the service: {meaning}': 'un código de bnpl, no del servicio: {meaning:text}',
  'Read the message and the hint of the error, which say what happened and what to do.':
    'Lee el mensaje y el consejo del error, que dicen qué pasó y qué hacer.',
  sandbox: 'sandbox',
  'Only the sandbox sends this code, because the specification shows no code for this case ({part}). Expect another code from a real service; its message is shown as it was sent':
    'Solo el sandbox envía este código, porque la especificación no muestra un código para este caso ({part:text}). Un servicio real tendrá otro; su mensaje se muestra como fue enviado',
  'a fault that was added to the sandbox. A real service never answers with this code':
    'una falla que se agregó al sandbox. Un servicio real nunca responde con este código',
  'List the faults: bnpl sandbox fault list': 'Mira las fallas: bnpl sandbox fault list',
  '{meaning}; if the call was sent and is not safe to repeat, its outcome is unknown (exit 12)':
    '{meaning:text}; si la llamada se envió y no se puede repetir sin riesgo, su resultado es desconocido (salida 12)',
  '{part} is larger than {maxBytes} bytes': '{part:text} es mayor que {maxBytes} bytes',
  stdin: 'stdin',
  '{part} is neither UTF-8 nor UTF-16 text': '{part:text} no es texto UTF-8 ni UTF-16',
  'Save the file as UTF-8.': 'Guarda el archivo como UTF-8.',
  '{path} cannot be read: {error}': '{path} no se puede leer: {error:text}',
  'read the {what} from stdin': 'lee {what:text} de stdin',
  'read the {what} from a file': 'lee {what:text} de un archivo',
  '--{option}-stdin and --{option2}-file cannot be used together':
    '--{option}-stdin y --{option2}-file no se pueden usar juntas',
  'Use only one of these options.': 'Usa solo una de estas opciones.',
  'the given {what}': 'el valor dado de {what:text}',
  'the given {what} {reason}': 'el valor dado de {what:text} {reason:text}',
  'Copy only the secret itself, without quotes and without spaces. Nothing was stored.':
    'Copia solo el secreto, sin comillas y sin espacios. No se guardó nada.',
  'the file that --{option}-file names cannot be read: {error}':
    'el archivo que nombra --{option}-file no se puede leer: {error:text}',
  'Use the name of a file. The secret itself must not be an argument.':
    'Usa el nombre de un archivo. El secreto mismo no debe ser un argumento.',
  'the {what} is missing, and this run cannot ask for it': 'falta {what:text}, y esta ejecución no puede preguntar',
  'Use --{option}-stdin or --{option2}-file F. The secret itself must not be an argument.':
    'Usa --{option}-stdin o --{option2}-file F. El secreto mismo no debe ser un argumento.',
  '{what} (your input is not shown)': '{what:text} (lo que escribes no se muestra)',
  'This {reason}.': 'Esto {reason:text}.',
  '{source} is larger than {MAX_SECRET_BYTES} bytes, which is too large for a secret':
    '{source:text} es mayor que {MAX_SECRET_BYTES} bytes, demasiado para un secreto',
  'Use a file that contains only the secret.': 'Usa un archivo que contenga solo el secreto.',
  '{source} is not UTF-8 text': '{source:text} no es texto UTF-8',
  'Save the secret again as UTF-8 text.': 'Guarda el secreto otra vez como texto UTF-8.',
  'every user of this machine can read the {what} in {path}. Run: {part}':
    'cualquier usuario de este equipo puede leer {path}, que contiene: {what:text}. Ejecuta: {part}',
  'the {what} has fewer than {SHORTEST} characters and can be guessed. Use a longer secret':
    '{what:text} tiene menos de {SHORTEST} caracteres y se puede adivinar. Usa un secreto más largo',
  'this command asks before it does anything (“{question}”), but this run cannot ask questions':
    'este comando pregunta antes de hacer algo («{question:text}»), pero esta ejecución no puede preguntar',
  'nothing was done': 'no se hizo nada',
  'you answered no; {declined}': 'respondiste que no; {declined:text}',
  '--dry-run shows the request of a command, but this command has no request to show; nothing was done':
    '--dry-run muestra la llamada de un comando, pero este comando no tiene ninguna; no se hizo nada',
  '--raw prints {form}, so --json and --output cannot be used':
    '--raw imprime {form:text}, así que --json y --output no se pueden usar',
  'Remove --raw, or --json and --output.': 'Quita --raw, o --json y --output.',
  'in memory, lost when the sandbox stops': 'en memoria, se pierde cuando el sandbox termina',
  'Delete {what}?': '¿Borrar {what:text}?',
  'this command deletes {what}, but this run cannot ask for confirmation':
    'este comando borra {what:text}, pero esta ejecución no puede pedir confirmación',
  'Add --yes to confirm.': 'Agrega --yes para confirmar.',
  'nothing was deleted': 'no se borró nada',
  'Keep this id: preApproveId {preApproveId}': 'Guarda este id: preApproveId {preApproveId}',
  'the local history could not be written ({error}).{id}':
    'no se pudo escribir el historial local ({error:text}).{id:text}',
  'no transaction is named, and the history of this profile is empty':
    'no se nombró ninguna transacción, y el historial de este perfil está vacío',
  'Add --trx ID, or begin with: {context}': 'Agrega --trx ID, o empieza con: {context}',
  'Using the last transaction of {key}: {externalTrxId}': 'Se usa la última transacción de {key}: {externalTrxId}',
  'list transactions and reports, the newest first': 'lista transacciones e informes, los más recientes primero',
  'show one record': 'muestra un registro',
  'remove one record, or all': 'quita un registro, o todos',
  'show the record with this id, as `bnpl history show` does':
    'muestra el registro con este id, como `bnpl history show`',
  'list only records whose id contains this text': 'lista solo registros cuyo id contiene este texto',
  'list only transactions whose loan had this state at the last verification (`none`: without a loan)':
    'lista solo transacciones cuyo crédito tenía este estado en la última verificación (`none`: sin crédito)',
  'list only records that changed since this date, or within this duration, such as 7d':
    'lista solo registros que cambiaron desde esta fecha, o en esta duración, como 7d',
  'list at most this many records': 'lista como máximo esta cantidad de registros',
  'No record of the history matches.': 'Ningún registro del historial coincide.',
  'The history{whose} is empty. Begin a payment with {context}, or try one: bnpl walkthrough -p sandbox':
    'El historial{whose:text} está vacío. Empieza un pago con {context}, o prueba uno: bnpl walkthrough -p sandbox',
  'These are the newest {limit} records. Print more records with --limit N.':
    'Estos son los {limit} registros más recientes. Imprime más con --limit N.',
  'the newest records of one account': 'los registros más recientes de una cuenta',
  'transactions of this week without a verified loan': 'transacciones de esta semana sin crédito verificado',
  'transactions whose id contains order-10': 'transacciones cuyo id contiene order-10',
  'the last transaction, for a script': 'la última transacción, para un script',
  Id: 'Id',
  'report, {bytes}': 'informe, {bytes:text}',
  When: 'Cuándo',
  Profile: 'Perfil',
  Amount: 'Monto',
  Plan: 'Plan',
  State: 'Estado',
  '{id} is not in the history of this machine{part}': '{id} no está en el historial de este equipo{part:text}',
  'under profile {profile}': 'bajo el perfil {profile}',
  'See the history: {context}. Or ask the service: {context2}':
    'Mira el historial: {context}. O pregunta al servicio: {context2}',
  '{id} is in the history of several profiles: {profiles}': '{id} está en el historial de varios perfiles: {profiles}',
  'Choose a profile with -p NAME.': 'Elige un perfil con -p NAME.',
  'Report of': 'Informe de',
  Bytes: 'Bytes',
  'Unchanged since': 'Sin cambios desde',
  'Last fetched': 'Última descarga',
  'Entity id': 'Id de entidad',
  'Pre-approval': 'Pre-aprobación',
  Installments: 'Cuotas',
  'Loan request': 'Solicitud de crédito',
  'Token valid until': 'Token válido hasta',
  Verified: 'Verificado',
  'First seen': 'Visto por primera vez',
  'Last changed': 'Último cambio',
  'your transaction id, or the pre-approval id of a report':
    'tu id de transacción, o el id de pre-aprobación de un informe',
  'remove all records (with -p: only those of that profile)':
    'quita todos los registros (con -p: solo los de ese perfil)',
  'succeed if the id is not in the history': 'termina bien si el id no está en el historial',
  'either an id or --all is needed, and not both': 'hace falta un id o --all, y no ambos',
  'List the ids with: {context}': 'Mira los ids con: {context}',
  'Removed from the history: {forgotten}.': 'Se quitó del historial: {forgotten:text}.',
  'remove one transaction': 'quitar una transacción',
  'remove all records of the sandbox': 'quitar todos los registros del sandbox',
  'Remove every transaction and report{part} from the history of this machine?':
    '¿Quitar todas las transacciones e informes{part:text} del historial de este equipo?',
  'Remove report {id} from the history of this machine?': '¿Quitar el informe {id} del historial de este equipo?',
  'Remove transaction {id} from the history of this machine?':
    '¿Quitar la transacción {id} del historial de este equipo?',
  'the pre-approval id, for a script': 'el id de pre-aprobación, para un script',
  'a report as a file, PreAprobacion_<id>.pdf': 'un informe como archivo, PreAprobacion_<id>.pdf',
  'the reports of a file with a column preApproveId': 'los informes de un archivo con una columna preApproveId',
  'get a link that is valid for half an hour': 'obtener un enlace válido por media hora',
  'print a fresh link to a report, without storing the link': 'imprime un enlace nuevo a un informe, sin guardarlo',
  'ids of pre-approvals (idPreAprobacion), not preLoanRequestIds':
    'ids de pre-aprobaciones (idPreAprobacion), no preLoanRequestIds',
  'The sandbox is not running, so the link cannot be opened. Start the sandbox: bnpl sandbox start':
    'El sandbox no está en marcha, así que el enlace no se puede abrir. Inicia el sandbox: bnpl sandbox start',
  'Everybody who has the link can open the report for {INFORME_LINK_LIFE_MS}. Save the PDF with: {context}':
    'Cualquiera que tenga el enlace puede abrir el informe por {INFORME_LINK_LIFE_MS:text}. Guarda el PDF con: {context}',
  'only the link, for a browser': 'solo el enlace, para un navegador',
  'the link with its expiry, for a script': 'el enlace con su vencimiento, para un script',
  'open a report in the browser, with a fresh link': 'abre un informe en el navegador, con un enlace nuevo',
  'id of a pre-approval (idPreAprobacion)': 'id de una pre-aprobación (idPreAprobacion)',
  'the sandbox is not running, so a browser cannot open the report':
    'el sandbox no está en marcha, así que un navegador no puede abrir el informe',
  'Start the sandbox first: bnpl sandbox start — or save the PDF: {context}':
    'Inicia primero el sandbox: bnpl sandbox start — o guarda el PDF: {context}',
  'no browser could be opened': 'no se pudo abrir un navegador',
  'Print the link: {context} — or save the PDF: {context2}':
    'Imprime el enlace: {context} — o guarda el PDF: {context2}',
  'The report was opened in your browser.': 'El informe se abrió en tu navegador.',
  'a report of the running sandbox': 'un informe del sandbox en marcha',
  'save reports as PreAprobacion_<id>.pdf': 'guarda informes como PreAprobacion_<id>.pdf',
  'save the reports in this folder (created if it is missing)':
    'guarda los informes en esta carpeta (se crea si falta)',
  'save one report in this file; `-` for stdout (with --from: write the results to this file)':
    'guarda un informe en este archivo; `-` para stdout (con --from: escribe los resultados en este archivo)',
  'replace existing files': 'reemplaza archivos que existen',
  'download the report from this urlInforme, without a key; `-` reads the urlInforme from stdin':
    'descarga el informe de este urlInforme, sin clave; `-` lee el urlInforme de stdin',
  'In JSON, `status` says how the saved report compares with its last download in the history of this machine:':
    'En JSON, `status` dice cómo se compara el informe guardado con su última descarga en el historial de este equipo:',
  'new        the history has no earlier download': 'new        el historial no tiene una descarga anterior',
  'unchanged  saved with the same content as before': 'unchanged  guardado con el mismo contenido que antes',
  'rendered   saved with other content, because the service rendered it again':
    'rendered   guardado con otro contenido, porque el servicio lo generó otra vez',
  'failed     not saved; `error` says why': 'failed     no se guardó; `error` dice por qué',
  'exists     only with --from: the file was already there, so it was kept':
    'exists     solo con --from: el archivo ya estaba, así que se conservó',
  'a report of the sandbox': 'un informe del sandbox',
  'save several reports in a folder, for a script': 'guardar varios informes en una carpeta, para un script',
  'the reports whose ids are in the column preApproveId of a file':
    'los informes cuyos ids están en la columna preApproveId de un archivo',
  'print a report, through a pipe': 'imprimir un informe, por una tubería',
  'download by the link in an evaluation or an event, without a key':
    'descargar con el enlace de una evaluación o un evento, sin clave',
  '{lost} of {length} reports could not be saved': 'no se {lost:pudo|pudieron} guardar {lost} de {length} informes',
  'Add --force to replace existing files.': 'Agrega --force para reemplazar archivos que existen.',
  'Correct the ids that failed.': 'Corrige los ids que fallaron.',
  'Run the command again with the ids that failed.': 'Ejecuta el comando otra vez con los ids que fallaron.',
  'No report was saved.': 'No se guardó ningún informe.',
  'One report is saved.': 'Se guardó un informe.',
  '{saved} reports are saved.': 'Se guardaron {saved} informes.',
  'the id of a report is missing': 'falta el id de un informe',
  'Add the id of a pre-approval: {context} shows it as idPreAprobacion.':
    'Agrega el id de una pre-aprobación: {context} lo muestra como idPreAprobacion.',
  '--from-link is for one report, but several ids were given':
    '--from-link es para un informe, pero se indicaron varios ids',
  'Give one id, or give none and name the file with --out FILE.':
    'Indica un id, o ninguno y nombra el archivo con --out FILE.',
  '--out and --dir cannot be used together': '--out y --dir no se pueden usar juntas',
  'Remove --dir. The path in --out already includes the folder.':
    'Quita --dir. La ruta de --out ya incluye la carpeta.',
  '--out names the file of one report, but several ids were given':
    '--out nombra el archivo de un informe, pero se indicaron varios ids',
  'Use --dir instead to save several reports.': 'Usa --dir para guardar varios informes.',
  'a PDF cannot be read on a terminal': 'un PDF no se puede leer en un terminal',
  'Pipe the PDF to a program (… --out - | lp), or name a file: --out FILE':
    'Pasa el PDF a un programa (… --out - | lp), o nombra un archivo: --out FILE',
  'Remove --json and --output.': 'Quita --json y --output.',
  'saved, same content as before': 'guardado, sin cambios',
  'saved, rendered again since the last download': 'guardado; cambió desde la última descarga',
  'leads of the sandbox': 'los leads del sandbox',
  'show the details of one lead': 'mostrar los detalles de un lead',
  'list the leads of this account': 'lista los leads de esta cuenta',
  'No leads yet.': 'Todavía no hay leads.',
  'Only real-estate accounts have leads. List the leads of the sandbox: bnpl leads list -p {SANDBOX}:real-estate':
    'Solo las cuentas inmobiliarias tienen leads. Lista los leads del sandbox: bnpl leads list -p {SANDBOX}:real-estate',
  'Create a lead: bnpl sandbox lead': 'Crea un lead: bnpl sandbox lead',
  'pre-approval ids of the finished evaluations': 'ids de pre-aprobación de las evaluaciones terminadas',
  'show the details of a lead': 'muestra los detalles de un lead',
  "the lead's id": 'el id del lead',
  "The evaluation is not finished. Move the sandbox's time ahead, for example: bnpl sandbox clock advance 1m":
    'La evaluación no ha terminado. Adelanta la hora del sandbox, por ejemplo: bnpl sandbox clock advance 1m',
  'pass calls between your program and the service of the profile':
    'pasar las llamadas entre tu programa y el servicio del perfil',
  'Show the evaluation: {evaluation}': 'Muestra la evaluación: {evaluation}',
  'Then show it: {evaluation}': 'Después muéstrala: {evaluation}',
  'a lead of the sandbox, with an id from: bnpl leads list': 'un lead del sandbox, con un id de: bnpl leads list',
  'List the leads with their ids: {context}. The id of a pre-approval is not the id of a lead.':
    'Lista los leads con sus ids: {context}. El id de una pre-aprobación no es el id de un lead.',
  'write each message on stderr as one line: with its `time`, or as `json`':
    'escribe cada mensaje de stderr en una línea: con su `time`, o como `json`',
  'Use --log with one of these words: {part}.': 'Usa --log con una de estas palabras: {part}.',
  'the ready file {path} cannot be written ({why})':
    'no se puede escribir el archivo {path} de --ready-file ({why:text})',
  'Use another path for --ready-file.': 'Usa otra ruta para --ready-file.',
  '{path} is not a ready file, and was not changed': '{path} no es un archivo de --ready-file, y no se cambió',
  'Use another path for --ready-file, or remove that file.': 'Usa otra ruta para --ready-file, o borra ese archivo.',
  "The customer's national id (RUT)": 'El RUT del cliente',
  'Amount to finance': 'Monto a financiar',
  "The customer's e-mail": 'El correo del cliente',
  'Address to which the customer returns after the payment': 'Dirección a la que vuelve el cliente después del pago',
  'Address to which the customer returns when the payment fails or is cancelled':
    'Dirección a la que vuelve el cliente cuando el pago falla o se cancela',
  'Your transaction id': 'Tu id de transacción',
  'Address of your receiver, such as https://shop.example/webhooks':
    'Dirección de tu receptor, como https://shop.example/webhooks',
  'Id of the destination': 'Id del destino',
  'Id of the pre-approval': 'Id de la pre-aprobación',
  'this value is not valid': 'este valor no es válido',
  '“{shown}” is not a RUT': '«{shown}» no es un RUT',
  'Write a RUT such as 12345678-5.': 'Escribe un RUT como 12345678-5.',
  'the check digit (dígito verificador) of “{shown}” is wrong: for this number it is {expected}':
    'el dígito verificador de «{shown}» está mal: para este número es {expected}',
  'Add -{digits} if the check digit was left out. Without a dash, the last digit is read as the check digit.':
    'Agrega -{digits} si faltó el dígito verificador. Sin guion, el último dígito se lee como dígito verificador.',
  '{option} is not valid: {reason}': '{option:list} no es válido: {reason:text}',
  '{option} “{text}” is not a valid number': '{option} «{text}» no es un número válido',
  'Use a whole number, 1 or more.': 'Usa un número entero, desde 1.',
  '{option} is not a valid number of installments': '{option:list} no es una cantidad válida de cuotas',
  'Use a number of installments that `bnpl evaluate` offered.':
    'Usa una cantidad de cuotas que ofreció `bnpl evaluate`.',
  '{option} is “{text}”. The payment page puts this word in the return address when there is no pre-approval id':
    '{option:text} es «{text}». La página de pago pone esta palabra en la dirección de vuelta cuando no hay id de pre-aprobación',
  'Take the id from the evaluation: {context}': 'Toma el id de la evaluación: {context}',
  '{option} is not an e-mail address': '{option:text} no es un correo',
  'Write an address such as name@example.com.': 'Escribe un correo como name@example.com.',
  'A number without a unit means seconds.': 'Un número sin unidad son segundos.',
  '{option} “{text}” is more than {words}': '{option} «{text}» es más que {words:text}',
  'Use {ms} or less.': 'Usa {ms} o menos.',
  '{option} “{text}” is not a duration': '{option} «{text}» no es una duración',
  'Write the duration as 500ms, 30s, 10m, 2h or 7d. {BARE_SECONDS}':
    'Escribe la duración como 500ms, 30s, 10m, 2h o 7d. {BARE_SECONDS:text}',
  'Write the time as 2h, 7d or 2026-03-01.': 'Escribe el tiempo como 2h, 7d o 2026-03-01.',
  '{option} “{text}” is a number without a unit': '{option} «{text}» es un número sin unidad',
  'Add a unit (s, m, h or d), or write a date: 2026-03-01.':
    'Agrega una unidad (s, m, h o d), o escribe una fecha: 2026-03-01.',
  '{option} “{text}” is neither a duration nor a date': '{option} «{text}» no es una duración ni una fecha',
  '{option} “{text}” is not valid: the day {date} does not exist':
    '{option} «{text}» no es válido: el día {date} no existe',
  'Write the duration as 30s, 5m or 1h. {BARE_SECONDS}{part}':
    'Escribe la duración como 30s, 5m o 1h. {BARE_SECONDS:text}{part:text}',
  'If “{wait}” is a transaction id, write it before --wait.':
    'Si «{wait}» es un id de transacción, escríbelo antes de --wait.',
  '{option} “{text}” is not a port': '{option} «{text}» no es un puerto',
  'Use a number from 0 (any free port) to 65535.': 'Usa un número de 0 (cualquier puerto libre) a 65535.',
  'the public key is not valid: it {reason}': 'la clave pública no es válida: {reason:text}',
  'Copy the key again, without spaces and quotes.': 'Copia la clave otra vez, sin espacios ni comillas.',
  'the public key from {option} is not valid: {problem}':
    'la clave pública ({option:text}) no es válida: {problem:text}',
  'Use the public key of the account, and keep the API key on your servers. Nothing was sent.':
    'Usa la clave pública de la cuenta, y deja la clave de API en tus servidores. No se envió nada.',
  '{option} “{text}” is not valid: {reason}': '{option} «{text}» no es válido: {reason:text}',
  'the value of {option} is the name of a file of Git Bash':
    'el valor de {option} es el nombre de un archivo de Git Bash',
  'address to which the customer returns after the payment (default: from the profile)':
    'dirección a la que vuelve el cliente después del pago (por defecto: del perfil)',
  'address to which the customer returns when the payment fails or is cancelled (default: from the profile)':
    'dirección a la que vuelve el cliente cuando el pago falla o se cancela (por defecto: del perfil)',
  'use this widget token; `-` reads the token from stdin (default: create a token)':
    'usa este token de widget; `-` lee el token de stdin (por defecto: crea un token)',
  "the customer's e-mail, which is needed to create a token":
    'el correo del cliente, que hace falta para crear un token',
  'amount to finance (default: from the history)': 'monto a financiar (por defecto: del historial)',
  'your transaction id (default: the last one of this profile)':
    'tu id de transacción (por defecto: la última de este perfil)',
  'public key of the merchant (default: from the profile)': 'clave pública del comercio (por defecto: del perfil)',
  'open the page in the browser': 'abre la página en el navegador',
  'show the address as a QR code, to pay with a phone':
    'muestra la dirección como código QR, para pagar con un teléfono',
  'The token is valid until {expiresAt}.': 'El token es válido hasta {expiresAt}.',
  'The sandbox is not running, so this page cannot be opened. Run `bnpl sandbox start`, or add --open.':
    'El sandbox no está en marcha, así que esta página no se puede abrir. Ejecuta `bnpl sandbox start`, o agrega --open.',
  'The payment ended: {end}.': 'El pago terminó: {end:text}.',
  'With --open, the exit code is 0 also if the payment is rejected or expires.':
    'Con --open, el código de salida es 0 también si el pago se rechaza o vence.',
  'To find out in a script whether the customer has paid, use bnpl verify.':
    'Para saber en un script si el cliente pagó, usa bnpl verify.',
  'To leave out the two return addresses, store them in the profile:':
    'Para no escribir las dos direcciones de vuelta, guárdalas en el perfil:',
  'bnpl profiles set successUrl URL, and bnpl profiles set errorUrl URL':
    'bnpl profiles set successUrl URL, y bnpl profiles set errorUrl URL',
  'open the payment page of the last transaction in the browser':
    'abrir en el navegador la página de pago de la última transacción',
  'print the address for a token that another program created':
    'imprimir la dirección para un token que creó otro programa',
  'no payment address is set': 'no hay una dirección de pago',
  'Set BNPL_PAYMENT_URL, or run: {context}': 'Define BNPL_PAYMENT_URL, o ejecuta: {context}',
  'no public key is set': 'no hay una clave pública',
  'Add --public-key KEY, set BNPL_PUBLIC_KEY, or run: {context}':
    'Agrega --public-key KEY, define BNPL_PUBLIC_KEY, o ejecuta: {context}',
  'the {name} from {source} is not valid: {problem}': 'valor no válido de {name:text} ({source:text}): {problem:text}',
  ', or store it for every link: {context}': ', o guárdala para todos los enlaces: {context}',
  '{option} is missing': 'falta {option}',
  'Add {option} https://…{stored}': 'Agrega {option} https://…{stored:text}',
  'the widget token is empty or is not a token': 'el token de widget está vacío o no es un token',
  'Use the token that `bnpl widget-token` printed, or leave out --token to create a token.':
    'Usa el token que imprimió `bnpl widget-token`, u omite --token para crear uno.',
  'this widget token expired at {expiry}, because a token is valid for {part} minutes':
    'este token de widget venció el {expiry}, porque un token es válido por {part} minutos',
  'Leave out --token to create a new token.': 'Omite --token para crear un token nuevo.',
  'the QR code needs {columns} columns and {length} rows; enlarge the window of the terminal':
    'el código QR necesita {columns} columnas y {length} filas; agranda la ventana del terminal',
  'The QR code has {length} rows. To see it whole, enlarge the window, or make its letters smaller.':
    'El código QR tiene {length} filas. Para verlo entero, agranda la ventana, o achica la letra.',
  'A phone cannot open this address, because it leads to this machine only.':
    'Un teléfono no puede abrir esta dirección, porque lleva solo a este equipo.',
  'the sandbox failed while it served the payment page': 'el sandbox falló mientras mostraba la página de pago',
  'The payment page is open in your browser.{part}': 'La página de pago está abierta en tu navegador.{part:text}',
  'Its address:': 'Su dirección:',
  'No browser could be opened. Open the address above.': 'No se pudo abrir un navegador. Abre la dirección de arriba.',
  'No browser could be opened. Open this address yourself:': 'No se pudo abrir un navegador. Abre esta dirección:',
  'Or pay in another terminal: {part}': 'O paga en otro terminal: {part}',
  'Waiting for the payment to end …': 'Esperando que termine el pago …',
  'the field {unusable} of the answer contains no pre-approval id, so the id is not known':
    'el campo {unusable} de la respuesta no contiene un id de pre-aprobación, así que el id no se conoce',
  'the answer has no known field for the pre-approval id (its fields: {part}); name the field with: {context}':
    'la respuesta no tiene un campo conocido para el id de pre-aprobación (sus campos: {part}); nombra el campo con: {context}',
  'The customer is not approved. ({part} {code})': 'El cliente no está aprobado. ({part} {code})',
  'Try a test customer who is approved: --rut 11222333-9. The sandbox always refuses the customer of this command.':
    'Prueba con un cliente que queda aprobado: --rut 11222333-9. El sandbox siempre rechaza al cliente de este comando.',
  'Tell the customer that this purchase cannot be paid in installments. No money was lent or reserved.':
    'Dile al cliente que esta compra no se puede pagar en cuotas. No se prestó ni se reservó dinero.',
  '{externalTrxId} is already paid. ({part} {code})': '{externalTrxId} ya está pagada. ({part} {code})',
  'no entity id is set': 'no hay un id de entidad',
  'Add --entity-id, set BNPL_ENTITY_ID, or run: {context}':
    'Agrega --entity-id, define BNPL_ENTITY_ID, o ejecuta: {context}',
  'the evaluation to which the session belongs, if the service knows this field (default: from the history)':
    'la evaluación a la que pertenece la sesión, si el servicio conoce este campo (por defecto: del historial)',
  'send no evaluation with the session': 'no envía una evaluación con la sesión',
  "the customer's e-mail is missing": 'falta el correo del cliente',
  'Add --email name@example.com': 'Agrega --email name@example.com',
  'the amount of {externalTrxId} is not in the history of this machine':
    'el monto de {externalTrxId} no está en el historial de este equipo',
  'Add --amount N.': 'Agrega --amount N.',
  'The entity id is that of {externalTrxId} in the history of this machine. Use a new transaction, or add --entity-id.':
    'El id de entidad es el de {externalTrxId} en el historial de este equipo. Usa una transacción nueva, o agrega --entity-id.',
  'the service accepted this widget session, but its answer has no widgetToken':
    'el servicio aceptó esta sesión de widget, pero su respuesta no tiene widgetToken',
  'The service may have created a token. Wait 10 minutes until this token has expired, then run the command again. If the result is the same, ask the support of the service.':
    'Puede que el servicio haya creado un token. Espera 10 minutos hasta que venza, y ejecuta el comando otra vez. Si el resultado es el mismo, pregunta al soporte del servicio.',
  '{externalTrxId} {part}, so no token was created': '{externalTrxId} {part:text}, así que no se creó un token',
  'is already paid': 'ya está pagada',
  'has a loan already ({loan})': 'ya tiene un crédito ({loan})',
  'the service did not accept a widget session for {externalTrxId}, so no token was created':
    'el servicio no aceptó una sesión de widget para {externalTrxId}, así que no se creó un token',
  'See its loan: {context}': 'Mira su crédito: {context}',
  'The answer does not say whether the session was accepted. It contains a token, so the session counts as accepted.':
    'La respuesta no dice si la sesión se aceptó. Contiene un token, así que cuenta como aceptada.',
  '--pre-approve-id cannot be sent, because the description of this service ({name}) has no preApproveId in a widget session':
    '--pre-approve-id no se puede enviar, porque la descripción de este servicio ({name}) no tiene preApproveId en una sesión de widget',
  'Leave the option out. If the service knows the field, run: {context}':
    'Omite la opción. Si el servicio conoce el campo, ejecuta: {context}',
  'validUntil in the answer is not a time, so the token counts as valid for {minutes} minutes':
    'validUntil no es una hora en la respuesta, así que el token cuenta como válido por {minutes} minutos',
  'the service says that the token is valid until {shown}, which is in {lifeMs} and not in {minutes} minutes; check the clock of this machine':
    'el servicio dice que el token es válido hasta {shown}, que es en {lifeMs} y no en {minutes} minutos; revisa el reloj de este equipo',
  'the service says that the token was valid until {shown}, which is over; check the clock of this machine. The token counts as valid for {minutes} minutes':
    'el servicio dice que el token era válido hasta {shown}, que ya pasó; revisa el reloj de este equipo. El token cuenta como válido por {minutes} minutos',
  'Verify the transaction, because it probably has a loan already ({loanState} in the history of this machine): {verify}':
    'Verifica la transacción, porque probablemente ya tiene un crédito ({loanState} en el historial de este equipo): {verify}',
  'evaluate the customer for this transaction and amount: {context}':
    'evalúa al cliente para esta transacción y este monto: {context}',
  'check whether the customer was evaluated for this transaction and amount: {context}':
    'revisa si el cliente fue evaluado para esta transacción y este monto: {context}',
  'Check whether the transaction already has a loan: {verify}. If it has none, {evaluation}':
    'Revisa si la transacción ya tiene un crédito: {verify}. Si no lo tiene, {evaluation:text}',
  'the widget token has expired, because it was valid for {lifeMs}':
    'el token de widget venció, porque era válido por {lifeMs:text}',
  'Create a new token: {context}': 'Crea un token nuevo: {context}',
  'the sandbox rejects payments without an evaluation': 'el sandbox rechaza los pagos sin evaluación',
  '{externalTrxId} was not evaluated, and {UNEVALUATED}. Before you repeat your command, run: {externalTrxId2}':
    '{externalTrxId} no fue evaluada, y {UNEVALUATED:text}. Antes de repetir tu comando, ejecuta: {externalTrxId2}',
  'not found in the answer': 'no está en la respuesta',
  Customer: 'Cliente',
  'No installment options were offered.': 'No se ofrecieron opciones de cuotas.',
  Each: 'Cada una',
  Total: 'Total',
  'Cost of credit': 'Costo del crédito',
  'To pay': 'A pagar',
  'Interest rate': 'Tasa de interés',
  Transfer: 'Transferencia',
  Due: 'Vence',
  Remark: 'Observación',
  'the program disconnected': 'el programa se desconectó',
  'the proxy closed the connection': 'el proxy cerró la conexión',
  '{end} before the answer': '{end:text} antes de la respuesta',
  '{where}: {seen}; expected {expected}': '{where:text}: {seen:text}; se esperaba {expected:text}',
  'These calls are also listed in the window of the sandbox: bnpl sandbox open':
    'Estas llamadas también aparecen en la ventana del sandbox: bnpl sandbox open',
  'port to listen on, for programs on this machine only; 0 for any free port':
    'puerto en que escucha, solo para programas de este equipo; 0: cualquier puerto libre',
  'answer 400 to a request that differs from the contract, and do not pass it on':
    'responde 400 a una llamada que difiere del contrato, y no la pasa',
  'add the key of the profile to the calls': 'agrega la clave del perfil a las llamadas',
  'write a JSON line to this file when the proxy listens':
    'escribe una línea JSON en este archivo cuando el proxy escucha',
  'Remove --output, or use --json for lines of JSON.': 'Quita --output, o usa --json para líneas JSON.',
  "Configure the proxy's address in your program instead of the service's.":
    'Configura en tu programa la dirección del proxy en vez de la del servicio.',
  'in a test: refuse requests that differ from the contract; print JSON lines':
    'en una prueba: rechazar llamadas que difieren del contrato; líneas JSON',
  'pass calls of a program that has no key, and add the key of the profile':
    'pasar llamadas de un programa sin clave, y agregar la clave del perfil',
  '{url} passes calls on to {baseUrl}. Use {url2} in your program. Ctrl-C ends the proxy.':
    '{url} pasa las llamadas a {baseUrl}. Usa {url2} en tu programa. Ctrl-C termina el proxy.',
  'no service is chosen': 'no se eligió un servicio',
  'Name a profile with -p, or set BNPL_BASE_URL.': 'Nombra un perfil con -p, o define BNPL_BASE_URL.',
  'no sandbox is running, so the proxy has no address to pass calls on to':
    'no hay un sandbox en marcha, así que el proxy no tiene una dirección a la cual pasar las llamadas',
  'Start a sandbox: bnpl sandbox start': 'Inicia un sandbox: bnpl sandbox start',
  '--with-key adds the key of the profile to the calls, but no key is set':
    '--with-key agrega la clave del perfil a las llamadas, pero no hay ninguna clave',
  'Set a key: {context}': 'Define una clave: {context}',
  'profile {part} ({host})': 'perfil {part} ({host})',
  'Let every program on this machine make calls with the key of the production {profileAndHost}?':
    '¿Permitir que todos los programas de este equipo hagan llamadas con la clave de producción {profileAndHost:text}?',
  'calls cannot be printed ({message}). The proxy still passes them on':
    'las llamadas no se pueden imprimir ({message:text}). El proxy las sigue pasando',
  '{missing} could not be printed, because stdout was full or not read':
    '{missing:text} no se pudieron imprimir, porque stdout estaba lleno o nadie lo leía',
  'a connection was closed because the program used TLS; give the program the address with http://, not https://':
    'se cerró una conexión porque el programa usó TLS; dale al programa la dirección con http://, no https://',
  'a connection was closed because the program does not speak HTTP/1':
    'se cerró una conexión porque el programa no habla HTTP/1',
  'also show personal data in the table: ids, contact data, birth dates, addresses':
    'muestra en la tabla también los datos personales: ids, contacto, fechas de nacimiento, direcciones',
  'Personal data is masked. Add --reveal to see it.':
    'Los datos personales van enmascarados. Agrega --reveal para verlos.',
  'The record is empty.': 'El registro está vacío.',
  '(a signed link; --json shows it)': '(un enlace firmado; --json lo muestra)',
  'External id': 'Id externo',
  Lead: 'Lead',
  'Pre-loan request': 'Solicitud de precrédito',
  Report: 'Informe',
  Project: 'Proyecto',
  Account: 'Cuenta',
  'First names': 'Nombres',
  Surname: 'Apellido',
  'Second surname': 'Segundo apellido',
  'E-mail': 'Correo',
  Phone: 'Teléfono',
  Born: 'Nacimiento',
  Address: 'Dirección',
  Comuna: 'Comuna',
  Region: 'Región',
  Result: 'Resultado',
  Created: 'Creado',
  Evaluated: 'Evaluado',
  'Valid until': 'Válido hasta',
  Nationality: 'Nacionalidad',
  'Civil status': 'Estado civil',
  Education: 'Estudios',
  Profession: 'Profesión',
  Employment: 'Empleo',
  Contract: 'Contrato',
  Employer: 'Empleador',
  'Months employed': 'Meses en el empleo',
  Dependants: 'Cargas',
  'Net income': 'Renta líquida',
  'Gross income': 'Renta bruta',
  'Other income': 'Otras rentas',
  'Total income': 'Renta total',
  'Rent paid': 'Arriendo',
  'Consumer debt': 'Deuda de consumo',
  'Card debt': 'Deuda de tarjetas',
  'Mortgage debt': 'Deuda hipotecaria',
  'Total debt': 'Deuda total',
  'Monthly debt payments': 'Pago mensual de deudas',
  'Debt burden': 'Carga financiera',
  Leverage: 'Endeudamiento',
  Arrears: 'Morosidad',
  'Amount in arrears': 'Monto moroso',
  'Protested documents': 'Documentos protestados',
  'Risk score': 'Puntaje de riesgo',
  'Probability of default': 'Probabilidad de incumplimiento',
  'Risk segment': 'Segmento de riesgo',
  'Reason for refusal': 'Motivo del rechazo',
  'Amount asked for': 'Monto solicitado',
  'Amount pre-approved': 'Monto pre-aprobado',
  'Longest term in months': 'Plazo máximo en meses',
  'Reference rate': 'Tasa de referencia',
  'The answer is shown as it was sent.': 'La respuesta se muestra como fue enviada.',
  '{why}: trying again in {waitMs}': '{why:text}: otro intento en {waitMs:text}',
  'Requesting the report …': 'Solicitando el informe …',
  'If this is a link of the sandbox, start the sandbox at the address of the link: bnpl sandbox start --port {part}. Or use the id of the report: bnpl informe download ID -p sandbox:real-estate':
    'Si es un enlace del sandbox, inicia el sandbox en la dirección del enlace: bnpl sandbox start --port {part}. O usa el id del informe: bnpl informe download ID -p sandbox:real-estate',
  'Use the id of the report instead of this link: {context}. This link leads to the PDF itself, but --from-link needs the urlInforme of an evaluation or an event.':
    'Usa el id del informe en vez de este enlace: {context}. Este enlace lleva al propio PDF, pero --from-link necesita el urlInforme de una evaluación o un evento.',
  'the text on stdin is too long for a link': 'el texto de stdin es demasiado largo para un enlace',
  'Write only the urlInforme to stdin.': 'Escribe solo el urlInforme en stdin.',
  '--from-link is not valid: {reason}': '--from-link no es válido: {reason:text}',
  'Use the whole urlInforme, in quotes.': 'Usa el urlInforme completo, entre comillas.',
  'the local history could not be written ({error}); the report itself is complete':
    'no se pudo escribir el historial local ({error:text}); el informe está completo',
  'the report is larger than {part} MiB, which is too large for a pipe':
    'el informe es mayor que {part} MiB, demasiado para una tubería',
  'Save the report to a file: --out FILE. Nothing was written.':
    'Guarda el informe en un archivo: --out FILE. No se escribió nada.',
  'the file of the report cannot be named, because no id was given':
    'no se puede dar nombre al archivo del informe, porque no se indicó ningún id',
  '“{preApproveId}” has characters that are not allowed in the name of a file':
    '«{preApproveId}» tiene caracteres que no se permiten en el nombre de un archivo',
  'Name the file with: --out FILE': 'Nombra el archivo con: --out FILE',
  '--dir or --out': '--dir u --out',
  'Use --dir for a directory, --out for a file.': 'Usa --dir para una carpeta, --out para un archivo.',
  'a JUnit report': 'un reporte JUnit',
  'no report can be written to {path} ({error}); nothing was sent':
    'no se puede escribir un reporte en {path} ({error:text}); no se envió nada',
  'Create the folder for the report, or name another file with {option}.':
    'Crea la carpeta del reporte, o nombra otro archivo con {option}.',
  'Name another file with {option}.': 'Nombra otro archivo con {option}.',
  'a symbolic link, and bnpl does not write through links':
    'un enlace simbólico, y bnpl no escribe a través de enlaces',
  'not {named}, and was not changed': 'no {named:text}, y no se cambió',
  'the report could not be written to {path}{part}': 'no se pudo escribir el reporte en {path}{part:text}',
  'Check the folder and its disk, or name another file with {option}.':
    'Revisa la carpeta y su disco, o nombra otro archivo con {option}.',
  '{option} is empty, but it must name {what}': '{option} está vacío, pero debe nombrar {what:text}',
  'Name {what}.': 'Nombra {what:text}.',
  '{option} cannot write to stdout (“-”)': '{option} no puede escribir en stdout («-»)',
  'Name a file. A file with the name - is named ./-': 'Nombra un archivo. Un archivo con el nombre - se escribe ./-',
  '{other} and {option} are the same file: {path}': '{other} y {option} son el mismo archivo: {path}',
  'the number of installments that the customer chose': 'la cantidad de cuotas que eligió el cliente',
  'pre-approval id (default: from the history)': 'id de pre-aprobación (por defecto: del historial)',
  'amount financed (default: from the history)': 'monto financiado (por defecto: del historial)',
  'the pre-approval id': 'el id de pre-aprobación',
  'the amount': 'el monto',
  Step: 'Paso',
  'choose an option of the last evaluation': 'elegir una opción de la última evaluación',
  'give every value, so that no value comes from the history of this machine':
    'dar todos los valores, para que ninguno venga del historial de este equipo',
  '{what} of {externalTrxId} is not in the history of this machine':
    '{what:text} de {externalTrxId} no está en el historial de este equipo',
  'Add {option}. The evaluation printed the value.': 'Agrega {option}. La evaluación imprimió el valor.',
  '{what}: a name (specification, banca.me), or a file that `bnpl contract learn` wrote':
    '{what:text}: un nombre (specification, banca.me), o un archivo que escribió `bnpl contract learn`',
  'another word for --service': 'otro nombre de --service',
  '--service and --like are two words for one option': '--service y --like son dos nombres de la misma opción',
  'Give only one of them.': 'Indica solo una de ellas.',
  'If your service is banca.me, set BNPL_SERVICE=banca.me. For another service that has the call, use a profile with the setting {describedBy}.':
    'Si tu servicio es banca.me, define BNPL_SERVICE=banca.me. Para otro servicio que tenga la llamada, usa un perfil con la configuración {describedBy}.',
  'If your service is banca.me, run: {context}': 'Si tu servicio es banca.me, ejecuta: {context}',
  'If another service has the call, run: {context2}': 'Si otro servicio tiene la llamada, ejecuta: {context2}',
  'the description of this service ({name}) has no call to {summary}; nothing was sent':
    'la descripción de este servicio ({name}) no tiene una llamada para {summary:text}; no se envió nada',
  'The sandbox follows {name}, which answers {count}. To read the answers, run: {part}':
    'El sandbox sigue a {name}, que responde {count:text}. Para leer las respuestas, ejecuta: {part}',
  'not run, because two earlier checks got no answer in time':
    'no se ejecutó, porque dos verificaciones anteriores no tuvieron respuesta a tiempo',
  'unknown transaction': 'transacción desconocida',
  'widget token': 'token de widget',
  'this check would change something on production': 'esta verificación cambiaría algo en producción',
  'Add --allow-production to run the check.': 'Agrega --allow-production para ejecutar la verificación.',
  'no answer: {kind}': 'sin respuesta: {kind}',
  'Find out why: {context}': 'Averigua por qué: {context}',
  '--rut of a test customer is missing': 'falta --rut de un cliente de prueba',
  'installment options as specified': 'opciones de cuotas como se especificó',
  '{length} options; {detail}': '{length} {length:opción|opciones}; {detail:text}',
  'the evaluation check found no option to select':
    'la verificación de la evaluación no encontró una opción para elegir',
  'step {step}': 'paso {step}',
  'the evaluation check found no pre-approval to pay':
    'la verificación de la evaluación no encontró una pre-aprobación para pagar',
  'the session was not accepted': 'la sesión no se aceptó',
  'the session was accepted, but the answer has no widgetToken':
    'la sesión se aceptó, pero la respuesta no tiene widgetToken',
  'the payment address or the public key is not set': 'falta definir la dirección de pago o la clave pública',
  'the page was not opened, because no widget token was created':
    'la página no se abrió, porque no se creó un token de widget',
  'reachable ({part})': 'responde ({part:text})',
  'no type': 'sin tipo',
  'the page answers with status {status}': 'la página responde con el estado {status}',
  'the key is accepted, and no loan was found ({part} {code})':
    'la clave se acepta, y no se encontró un crédito ({part} {code})',
  'a loan was found for a transaction that does not exist': 'se encontró un crédito para una transacción que no existe',
  '{part} registered': '{part} {part:registrado|registrados}',
  'the evaluation check found no pre-approval': 'la verificación de la evaluación no encontró una pre-aprobación',
  '--pre-approve-id is missing': 'falta --pre-approve-id',
  'a link was issued': 'se emitió un enlace',
  'downloadable, {length} bytes': 'se puede descargar, {length} bytes',
  'the link does not lead to a PDF (status {status})': 'el enlace no lleva a un PDF (estado {status})',
  '--webhook-url is missing': 'falta --webhook-url',
  'the account has {length} destinations, so no other can be registered':
    'la cuenta tiene {length} destinos, así que no se puede registrar otro',
  'this address was already registered, so it was not changed':
    'esta dirección ya estaba registrada, así que no se cambió',
  'registered, listed, and deleted again': 'registrado, listado y borrado otra vez',
  'the registration was accepted, but the destination is not in the list':
    'el registro se aceptó, pero el destino no está en la lista',
  'delete the destination of this check': 'borrar el destino de esta verificación',
  'no answer within {part} s': 'sin respuesta en {part} s',
  'The destination {url} may still be registered ({why}). Remove the destination with: {command}':
    'Puede que el destino {url} siga registrado ({why:text}). Quita el destino con: {command}',
  'Report this to the operator of the service, because the answer differs from the specification ({section}).':
    'Informa de esto al operador del servicio, porque la respuesta difiere de la especificación ({section}).',
  'Make sure that your own program reads this shape too. Every bnpl command reads it.':
    'Asegúrate de que tu propio programa también lea esta forma. Todos los comandos de bnpl la leen.',
  'Do not depend on the fields after “new:”, which the specification does not show.':
    'No dependas de los campos después de «new:», que la especificación no muestra.',
  "a test customer's national id (needed for an evaluation, except in the sandbox)":
    'el RUT de un cliente de prueba (hace falta para una evaluación, salvo en el sandbox)',
  'amount to evaluate': 'monto a evaluar',
  "the customer's e-mail, for the widget token": 'el correo del cliente, para el token de widget',
  'also download the report of this pre-approval (in the sandbox, by default the pre-approval that this run creates)':
    'descarga también el informe de esta pre-aprobación (en el sandbox, por defecto la que crea esta ejecución)',
  'also register this destination and delete it again (in the sandbox, by default an invented address)':
    'registra además este destino y lo borra otra vez (en el sandbox, por defecto una dirección inventada)',
  'with a production profile, also run the checks that change something at the service':
    'con un perfil de producción, ejecuta también las verificaciones que cambian algo en el servicio',
  'check the sandbox': 'verificar el sandbox',
  'in CI, on the beta account': 'en CI, con la cuenta beta',
  'record what was sent, and compare it with the contract': 'grabar lo enviado, y compararlo con el contrato',
  'check production without changing anything': 'verificar producción sin cambiar nada',
  'recorded exchanges': 'intercambios grabados',
  'no difference from the contract in {sum}': 'sin diferencias con el contrato en {sum:text}',
  'See every difference and its line in the recording: bnpl contract check {file}':
    'Mira cada diferencia y su línea en la grabación: bnpl contract check {file}',
  'the profile to use if -p is not given': 'el perfil que se usa sin -p',
  'base address of the service. If BNPL_API_KEY is set too, no profile is needed':
    'dirección base del servicio. Si también se define BNPL_API_KEY, no hace falta un perfil',
  'the API key': 'la clave de API',
  'address to which the customer returns after the payment, for `bnpl pay-url`':
    'dirección a la que vuelve el cliente después del pago, para `bnpl pay-url`',
  'address to which the customer returns when the payment fails or is cancelled, for `bnpl pay-url`':
    'dirección a la que vuelve el cliente cuando el pago falla o se cancela, para `bnpl pay-url`',
  'description of the service: a name (specification, banca.me), or a file':
    'descripción del servicio: un nombre (specification, banca.me), o un archivo',
  'secret of webhook deliveries: the HMAC secret or the token':
    'secreto de las entregas de webhooks: el secreto HMAC o el token',
  'settings folder, for the profiles (default: XDG_CONFIG_HOME/bnpl or ~/.config/bnpl)':
    'carpeta de configuración, para los perfiles (por defecto: XDG_CONFIG_HOME/bnpl o ~/.config/bnpl)',
  'state folder, for the history, the inbox and the sandbox (default: XDG_STATE_HOME/bnpl or ~/.local/state/bnpl)':
    'carpeta de estado, para el historial, la bandeja y el sandbox (por defecto: XDG_STATE_HOME/bnpl o ~/.local/state/bnpl)',
  'set by `bnpl sandbox torture`: a new folder for the files of one run':
    'la define `bnpl sandbox torture`: una carpeta nueva para los archivos de una ejecución',
  'set by `bnpl sandbox torture`: a name that only one run has, such as run_4711_3, for a database or a schema':
    'la define `bnpl sandbox torture`: un nombre que solo tiene una ejecución, como run_4711_3, para una base de datos o un esquema',
  'set by `bnpl sandbox torture` with --restart: the port on which the shop must listen in one run':
    'la define `bnpl sandbox torture` con --restart: el puerto en que la tienda debe escuchar en una ejecución',
  'parent folder of the settings folder, on Linux. A relative path is ignored':
    'carpeta que contiene la carpeta de configuración, en Linux. Una ruta relativa se ignora',
  'parent folder of the state folder, on Linux. A relative path is ignored':
    'carpeta que contiene la carpeta de estado, en Linux. Una ruta relativa se ignora',
  'parent folder of the settings folder and of the state folder, on Windows':
    'carpeta que contiene las carpetas de configuración y de estado, en Windows',
  'set by Git Bash and MSYS2; without it, commands on Windows are printed for PowerShell':
    'la definen Git Bash y MSYS2; sin ella, en Windows los comandos se imprimen para PowerShell',
  'PostgreSQL address of the inbox: postgres://user@host/name':
    'dirección PostgreSQL de la bandeja: postgres://user@host/name',
  'password for that database': 'contraseña de esa base de datos',
  'password for that database, if BNPL_DATABASE_PASSWORD is not set':
    'contraseña de esa base de datos, si BNPL_DATABASE_PASSWORD no está definida',
  'address of a proxy, such as http://proxy.example:3128, for https connections to other machines. https_proxy takes precedence':
    'dirección de un proxy, como http://proxy.example:3128, para conexiones https a otros equipos. https_proxy tiene prioridad',
  'hosts that are called without the proxy. no_proxy takes precedence':
    'hosts a los que se llama sin el proxy. no_proxy tiene prioridad',
  'file with the certificates of your own certificate authority':
    'archivo con los certificados de tu propia autoridad certificadora',
  'if 0, Node does not check certificates. Therefore a command that calls the service over the network ends with an error, unless BNPL_BASE_URL is an address of this machine':
    'si es 0, Node no verifica certificados. Por eso un comando que llama al servicio por la red termina con un error, salvo que BNPL_BASE_URL sea una dirección de este equipo',
  'if its value makes Node print requests, a command sends nothing and ends with an error, because requests contain keys. In the beta environment, in the sandbox, and with a service on this machine, the command works and only prints a warning':
    'si su valor hace que Node imprima las llamadas, un comando no envía nada y termina con un error, porque las llamadas contienen claves. En el ambiente beta, en el sandbox y con un servicio en este equipo, el comando funciona y solo imprime una advertencia',
  'if set, no colours are used': 'si está definida, no se usan colores',
  'if set, colours are used even in a pipe. 0 turns colours off':
    'si está definida, se usan colores también en una tubería. 0 apaga los colores',
  'with the value dumb, no colours are used and no line is redrawn':
    'con el valor dumb no se usan colores y no se redibuja ninguna línea',
  'if set, no line is redrawn. CI systems set it, because they store the output in a log':
    'si está definida, no se redibuja ninguna línea. Los sistemas de CI la definen, porque guardan la salida en un registro',
  'locale of the numbers in tables, if LC_ALL is not set':
    'formato regional de los números en tablas, si LC_ALL no está definida',
  'locale of the numbers in tables, if LC_ALL and LC_NUMERIC are not set. Without a locale, numbers are written as in Chile: 250.000':
    'formato regional de los números en tablas, si LC_ALL y LC_NUMERIC no están definidas. Sin formato regional, los números se escriben como en Chile: 250.000',
  'width of the terminal, if the terminal does not report it': 'ancho del terminal, si el terminal no lo informa',
  'The service read {given} as the preApproveId of {externalTrxId}.':
    'El servicio leyó {given} como el preApproveId de {externalTrxId}.',
  'If {asked} is the preApproveId of {externalTrxId}, run: {next}':
    'Si {asked} es el preApproveId de {externalTrxId}, ejecuta: {next}',
  'Check your script: “{externalTrxId}” is probably a variable that has no value.':
    'Revisa tu script: «{externalTrxId}» es probablemente una variable sin valor.',
  '{state}, because {UNEVALUATED}': '{state:text}, porque {UNEVALUATED:text}',
  'The payment is open at the step {step}. Wait until the customer has paid: {next}':
    'El pago está abierto en el paso {step}. Espera a que el cliente pague: {next}',
  '{GIVE_TRANSACTION_ID} Otherwise wait for the payment: {next}':
    '{GIVE_TRANSACTION_ID:text} Si no, espera el pago: {next}',
  'A payment that was rejected has no loan. Wait for the payment, if the customer has not paid yet: {next}':
    'Un pago rechazado no tiene crédito. Espera el pago, si el cliente todavía no ha pagado: {next}',
  'Wait for the payment, if the customer has not paid yet. Until then, the service may answer {status}. Run: {next}':
    'Espera el pago, si el cliente todavía no ha pagado. Hasta entonces el servicio puede responder {status}. Ejecuta: {next}',
  'The last link that this machine made for {externalTrxId} expired at {expiredAt}. If the customer has not paid, send a new link: {context}':
    'El último enlace que este equipo hizo para {externalTrxId} venció el {expiredAt}. Si el cliente no pagó, envíale un enlace nuevo: {context}',
  'the payment was rejected': 'el pago fue rechazado',
  'the customer cancelled the payment': 'el cliente canceló el pago',
  'the link expired before the customer paid': 'el enlace venció antes de que el cliente pagara',
  '{externalTrxId} has no loan: {end}': '{externalTrxId} no tiene crédito: {end:text}',
  'To offer the customer another attempt, run: {link}': 'Para ofrecer al cliente otro intento, ejecuta: {link}',
  'If the given id is a preApproveId, give your own transaction id (externalTrxId) instead.':
    'Si el id dado es un preApproveId, indica tu propio id de transacción (externalTrxId).',
  'Waiting for the loan of {externalTrxId}{part}': 'Esperando el crédito de {externalTrxId}{part:text}',
  'to have the state {state}': 'con el estado {state}',
  'The state of {externalTrxId} is {state}; waiting for the state {state2}':
    'El estado de {externalTrxId} es {state}; se espera el estado {state2}',
  '{what} · {part} left': '{what:text} · quedan {part}',
  ', until its loan has the state {state}': ', hasta que su crédito tenga el estado {state}',
  'Waiting up to {part} for {externalTrxId}{until} …': 'Se espera hasta {part:text} por {externalTrxId}{until:text} …',
  'The last answer: {message}': 'La última respuesta: {message:text}',
  '; the last answer: {message}': '; la última respuesta: {message:text}',
  'still no loan for {externalTrxId} after {waitMs}{said}':
    '{externalTrxId} sigue sin crédito después de {waitMs:text}{said:text}',
  'Ask the customer. Either the payment was not made, or it was rejected.':
    'Pregunta al cliente. O no pagó, o el pago fue rechazado.',
  '{words} of {externalTrxId} is {field}': '{words:text} de {externalTrxId} es {field:text}',
  '{got}, expected {wanted}{part}': '{got}, se esperaba {wanted}{part:text}',
  'not as expected: {part}': 'no es lo esperado: {part:text}',
  'In the history of this machine, {given} is the preApproveId of {externalTrxId}. Verifying {externalTrxId2}.':
    'En el historial de este equipo, {given} es el preApproveId de {externalTrxId}. Se verifica {externalTrxId2}.',
  'Some ids are preApproveIds of transactions in the history of this machine. The service is asked about the externalTrxIds of these transactions instead.':
    'Algunos ids son preApproveIds de transacciones del historial de este equipo. Al servicio se le pregunta por los externalTrxIds de esas transacciones.',
  'the setting notYet of {source} is not valid: {problem}':
    'la configuración notYet ({source:text}) no es válida: {problem:text}',
  'Set a valid value: {context}': 'Define un valor válido: {context}',
  'could not verify a transaction: no loan for this transaction ({status})':
    'no se pudo verificar una transacción: no hay crédito para esta transacción ({status})',
  'With --json, one transaction is printed as an object, and several as a list.':
    'Con --json, una transacción se imprime como objeto, y varias como lista.',
  'With -o ndjson, each transaction is a line. Columns of the file for --from:':
    'Con -o ndjson, cada transacción es una línea. Columnas del archivo de --from:',
  'externalTrxId (or trx, order, pedido …), and what is compared with the loan:':
    'externalTrxId (o trx, order, pedido …), y lo que se compara con el crédito:',
  'amount (or monto, loanAmount …), state (or estado …), periods (or cuotas …), installmentAmount, lastInstallmentAmount, interestRate, transferDate, or names such as expectedAmount. The run says which columns of the file are compared.':
    'amount (o monto, loanAmount …), state (o estado …), periods (o cuotas …), installmentAmount, lastInstallmentAmount, interestRate, transferDate, o nombres como expectedAmount. La ejecución dice qué columnas del archivo se comparan.',
  'docs/files.md lists all names.': 'docs/files.md lista todos los nombres.',
  'one transaction, with its schedule': 'una transacción, con su calendario de cuotas',
  'wait for the customer to pay': 'esperar a que el cliente pague',
  'in a script: fail unless the loan is as ordered': 'en un script: fallar si el crédito no es como el pedido',
  'compare the loans with the orders in a file': 'comparar los créditos con los pedidos de un archivo',
  'your transaction ids': 'tus ids de transacción',
  'wait at most this long until the loan exists, or with --expect-state until the loan has that state (--wait without a value: 11m)':
    'espera como máximo este tiempo hasta que exista el crédito, o con --expect-state hasta que tenga ese estado (--wait sin valor: 11m)',
  'end with exit code 10 unless the loan has this state (with --wait, the command waits for this state)':
    'termina con el código de salida 10 si el crédito no tiene este estado (con --wait, el comando espera este estado)',
  'end with exit code 10 unless the loan has this {words}':
    'termina con el código de salida 10 si este dato del crédito es otro: {words:text}',
  'missing transaction ids': 'faltan los ids de transacción',
  'Give the ids as arguments, or name a file of ids: --from FILE':
    'Indica los ids como argumentos, o un archivo de ids: --from FILE',
  'the figures of this loan do not agree: {doubt}': 'las cifras de este crédito no coinciden: {doubt:text}',
  'The loan of {externalTrxId} is cancelled. The customer pays no more installments of it.':
    'El crédito de {externalTrxId} está anulado. El cliente no paga más cuotas de él.',
  '{externalTrxId} is paid. The loan is active.': '{externalTrxId} está pagada. El crédito está activo.',
  '{length} of {length2} transactions could not be verified':
    'no se {length:pudo|pudieron} verificar {length} de {length2} transacciones',
  'If some of several have no loan or cannot be verified, the exit code is 11.':
    'Si alguna de varias no tiene crédito o no se puede verificar, termina con 11.',
  'If the service refuses the key, it is 4.': 'Si el servicio rechaza la clave, termina con 4.',
  'Other requests are not shown, because they depend on an answer or only read data.':
    'Otras solicitudes no se muestran, porque dependen de una respuesta o solo leen datos.',
  'The result says why. To verify them again would not help.':
    'El resultado dice por qué. Verificarlas otra vez no serviría.',
  'The result says why. Verify again later: {part}': 'El resultado dice por qué. Verifica otra vez más tarde: {part}',
  'Payment page: {url}': 'Página de pago: {url}',
  'no {part} is set, so no page can be opened': 'no hay {part:text}, así que no se puede abrir una página',
  'Set both settings: {context} and {context2}': 'Define ambas configuraciones: {context} y {context2}',
  'Interrupted, but the customer can still pay. Continue with: {next}':
    'Interrumpido, pero el cliente todavía puede pagar. Sigue con: {next}',
  'Waiting for the customer to pay …': 'Esperando que el cliente pague …',
  'Waiting for the customer to pay · the token is valid for {left} more':
    'Esperando que el cliente pague · el token es válido por {left} más',
  'Waiting for the customer to return to the shop · {ms} left':
    'Esperando que el cliente vuelva a la tienda · quedan {ms}',
  'the payment of {externalTrxId} was rejected or cancelled': 'el pago de {externalTrxId} fue rechazado o cancelado',
  'Run the same command to try again, or look at the transaction: {context}':
    'Ejecuta el mismo comando para intentarlo otra vez, o mira la transacción: {context}',
  'Done: {externalTrxId} is {state}.': 'Listo: {externalTrxId} está {state}.',
  'the whole payment on this machine, no keys needed': 'todo el pago en este equipo, sin claves',
  'a whole payment without questions': 'un pago completo sin preguntas',
  'Evaluate the customer': 'Evaluar al cliente',
  'Create a widget token': 'Crear un token de widget',
  'Report the choice': 'Informar la elección',
  'The choice cannot be reported without a pre-approval id. Instead, the customer chooses on the payment page.':
    'La elección no se puede informar sin un id de pre-aprobación. En cambio, el cliente elige en la página de pago.',
  '{installments}, loan request {loanRequestId}.': '{installments:text}, solicitud de crédito {loanRequestId}.',
  'Pay on the payment page': 'Pagar en la página de pago',
  'Verify the loan': 'Verificar el crédito',
  'Find out how the payment ended: {command} (do not start again, because the earlier steps are done)':
    'Averigua cómo terminó el pago: {command} (no empieces otra vez, porque los pasos anteriores ya están hechos)',
  Payment: 'Pago',
  'pending: the customer has not paid yet': 'pendiente: el cliente todavía no ha pagado',
  'Token expires': 'El token vence',
  "the customer's national id (default: the command asks)": 'el RUT del cliente (por defecto: el comando pregunta)',
  'amount to finance (default: the command asks)': 'monto a financiar (por defecto: el comando pregunta)',
  "the customer's e-mail (default: the command asks)": 'el correo del cliente (por defecto: el comando pregunta)',
  'number of installments that the customer chooses (default: the command asks)':
    'cantidad de cuotas que elige el cliente (por defecto: el comando pregunta)',
  'wait for the loan, at most this long (--wait without a value: 11m); on a terminal, the command waits for the customer anyway':
    'espera el crédito, como máximo este tiempo (--wait sin valor: 11m); en un terminal, el comando espera al cliente de todos modos',
  'in the sandbox, without a terminal: reject the payment': 'en el sandbox, sin terminal: rechaza el pago',
  '--{name} is missing, and this run cannot ask for it': 'falta --{name}, y esta ejecución no puede preguntar',
  'no installment options were offered to this customer': 'a este cliente no se le ofrecieron opciones de cuotas',
  'Which option does the customer choose?': '¿Qué opción elige el cliente?',
  '{installments} × {amount}  (total {total})': '{installments:text} × {amount}  (total {total})',
  'let the customer choose on the payment page': 'que el cliente elija en la página de pago',
  "the customer's e-mail": 'el correo del cliente',
  'print only the token': 'imprime solo el token',
  'only the token': 'solo el token',
  Token: 'Token',
  'Use the token at once, in the widget or on the payment page. The token is not stored.':
    'Usa el token de inmediato, en el widget o en la página de pago. El token no se guarda.',
  'store the token in a variable of a script': 'guardar el token en una variable de un script',
  'The call is sent once. If its answer is lost, the loan is verified again. The exit code is 12 only if this does not show whether the loan is cancelled: it cannot be verified, or the service may still be working on the call.':
    'La llamada se envía una vez. Si se pierde su respuesta, el crédito se verifica de nuevo. El código de salida es 12 solo si eso no muestra si el crédito está anulado: no se puede verificar, o el servicio aún puede estar procesando la llamada.',
  '{message}. The loan of {externalTrxId} is still {state}, but the service may still be cancelling it':
    '{message:text}. El crédito de {externalTrxId} sigue en {state}, pero el servicio aún puede estar anulándolo',
  'Wait some minutes, then verify the loan: {verify}': 'Espera unos minutos y luego verifica el crédito: {verify}',
  'If it is still {state}, run the command again.': 'Si sigue en {state}, ejecuta el comando de nuevo.',
  'interrupted after the cancellation of {externalTrxId} got no clear answer; the loan may be cancelled':
    'interrumpido después de que la anulación de {externalTrxId} no tuvo una respuesta clara; el crédito puede estar anulado',
  'the cancellation of {externalTrxId} got no clear answer ({part}), and the loan is now {state}':
    'la anulación de {externalTrxId} no tuvo una respuesta clara ({part}), y el crédito está ahora en {state}',
  'The state of a cancelled loan is {cancelledState}': 'El estado de un crédito anulado es {cancelledState}',
  'The state of a cancelled loan is assumed to be {cancelledState}':
    'Se supone que el estado de un crédito anulado es {cancelledState}',
  'Ask the support of the service whether this loan is cancelled. If so, use a profile with the setting cancelledState.':
    'Pregunta al soporte del servicio si este crédito está anulado. Si lo está, usa un perfil con la configuración cancelledState.',
  'Ask the support of the service whether this loan is cancelled. If so, run: {set}':
    'Pregunta al soporte del servicio si este crédito está anulado. Si lo está, ejecuta: {set}',
  'the entity {value} of {source} is not active': 'la entidad {value} ({source:text}) no está activa',
  'The entity {value} of {source} is not in the list.': 'La entidad {value} ({source:text}) no está en la lista.',
  'Without --entity-id, the entity is {value} ({source}).': 'Sin --entity-id, la entidad es {value} ({source:text}).',
  'Use the entity that exists: {context}': 'Usa la entidad que existe: {context}',
  'In a script that may run twice, add --if-missing.':
    'En un script que puede ejecutarse dos veces, agrega --if-missing.',
  is: 'es',
  "Headers and bodies pass unchanged in both directions, except for the Host header (and the key, with --with-key). If the service's address has a path, the proxy puts it before the path of each call. The proxy never repeats a call and never invents an answer. If the service does not answer a call, the program gets no answer either. The proxy itself answers only to refuse a request: if the request is addressed to another host or is not valid HTTP, if it differs from the contract (with --strict), or if a page in a browser sent it (with --with-key). While a sandbox runs on this machine, its window also lists these calls, but not their contents.":
    'Encabezados y cuerpos pasan sin cambios en ambas direcciones, salvo el encabezado Host (y la clave, con --with-key). Si la dirección del servicio tiene una ruta, el proxy la pone antes de la ruta de cada llamada. El proxy nunca repite una llamada ni inventa una respuesta. Si el servicio no responde una llamada, el programa tampoco recibe respuesta. El propio proxy responde solo para rechazar una llamada: si va dirigida a otro host o no es HTTP válido, si difiere del contrato (con --strict), o si la envió una página en un navegador (con --with-key). Mientras hay un sandbox en marcha en este equipo, su ventana también lista estas llamadas, pero no su contenido.',
  'Add --{name} …': 'Agrega --{name} …',
  'The account': 'La cuenta',
  'Places on this machine': 'Lugares de este equipo',
  'A database': 'Una base de datos',
  'The network': 'La red',
  'The terminal': 'El terminal',
  'language of the texts for people: {languages} (default: the setting language, then the locale)':
    'idioma de los textos para personas: {languages} (por defecto: la configuración language, y después el formato regional)',
  'if set, for screen readers and braille displays: nothing is redrawn, no colours are used, choices have numbers, and each change is one line':
    'si está definida, para lectores de pantalla y líneas braille: nada se redibuja, no se usan colores, las alternativas tienen números y cada cambio es una línea',
  'locale of the numbers in tables: 250,000 in en_US (default: LC_NUMERIC, then LANG). Texts are in Spanish in a locale such as es_CL':
    'formato regional de los números en las tablas: 250,000 en en_US (por defecto: LC_NUMERIC, y después LANG). Con un formato regional como es_CL, los textos están en español',
  'locale of the texts, if LC_ALL is not set': 'formato regional de los textos, si LC_ALL no está definida',
  '{path} (files have no modes on Windows; to see who can read it: icacls "{path2}")':
    '{path} (en Windows los archivos no tienen modos; para ver quién puede leerlo: icacls "{path2}")',
  'create a widget token, valid for 10 minutes': 'crea un token de widget, válido por 10 minutos',
  'Check the number with the customer.': 'Revisa el número con el cliente.',
  'Add --skip-rut-check to send the number with this check digit.':
    'Agrega --skip-rut-check para enviar el número con este dígito verificador.',
  'Environment variables. An option overrides a variable, and a variable overrides the profile. `bnpl profiles show` says where each setting comes from.':
    'Variables de entorno. Una opción reemplaza a una variable, y una variable al perfil. `bnpl profiles show` dice de dónde viene cada configuración.',
  'How a command ends. `bnpl explain CODE` says what to do about each code.':
    'Cómo termina un comando. `bnpl explain CODE` dice qué hacer con cada código.',
  'Settings of a profile, changed with: bnpl profiles set KEY VALUE':
    'Configuración de un perfil, que se cambia con: bnpl profiles set KEY VALUE',
  'A key or a secret is never an argument. Store a key with: bnpl profiles set-key, and a secret with: bnpl profiles add-secret':
    'Una clave o un secreto nunca es un argumento. Guarda una clave con: bnpl profiles set-key, y un secreto con: bnpl profiles add-secret',
  'create a token for the last transaction': 'crear un token para la última transacción',
}
