import type { Catalogue } from '../packing.ts'

/** The texts of every command: common options, mistakes on the command line, questions, notes and errors of bnpl itself. */
export const terminal: Catalogue = {
  'BNPL_LANG is “{named}”, which is not a language of bnpl, so it was ignored. Set it to one of these: {languages}.':
    'BNPL_LANG es «{named}», que no es un idioma de bnpl, así que se ignoró. Usa uno de estos: {languages}.',
  'Operate a BNPL integration: evaluate, pay, verify, webhooks, reports, and a sandbox of the whole service.':
    'Opera una integración BNPL: evaluación, pago, verificación, webhooks, informes y un sandbox de todo el servicio.',
  'show the version': 'muestra la versión',
  'show help': 'muestra la ayuda',
  'show help for a command': 'muestra la ayuda de un comando',
  'show help for a command, or for a topic: {topics}': 'muestra la ayuda de un comando o de un tema: {topics}',
  'Try it now, without keys and without a network:': 'Pruébalo ahora, sin claves y sin red:',
  'closing files and connections': 'cerrar archivos y conexiones',
  'the profile to use; `sandbox` is always available': 'el perfil que se usa; `sandbox` siempre está disponible',
  'format of the result': 'formato del resultado',
  'short for --output json': 'lo mismo que --output json',
  'print the request as a curl command and send nothing':
    'muestra la solicitud como un comando de curl y no envía nada',
  'time limit of each call; all attempts of the call share it':
    'tiempo máximo de cada llamada; todos sus intentos lo comparten',
  'append every request and answer to this file, without secrets and personal data':
    'agrega a este archivo cada solicitud y respuesta, sin secretos ni datos personales',
  'also record this field, which is left out by default because bnpl does not know what it contains; repeatable':
    'graba también este campo, que se omite por defecto porque bnpl no sabe qué contiene; se puede repetir',
  'never ask questions': 'no hace preguntas',
  'answer yes to every confirmation': 'responde que sí a cada confirmación',
  'show requests and answers on stderr, with secrets masked':
    'muestra solicitudes y respuestas en stderr, con los secretos ocultos',
  'print no notes on stderr': 'no muestra notas en stderr',
  'use no colours': 'no usa colores',
  'Write it as 500ms, 30s, 2m or 1h. A number without a unit means seconds.':
    'Escríbela como 500ms, 30s, 2m o 1h. Un número sin unidad son segundos.',
  '--timeout {timeout} is not a duration above zero': '--timeout {timeout} no es una duración mayor que cero',
  '--record needs a file': '--record necesita un archivo',
  'Name a file, such as --record day.ndjson.': 'Indica un archivo, como --record day.ndjson.',
  '--record-keep cannot be used without --record, because nothing is recorded then':
    '--record-keep no se puede usar sin --record, porque entonces no se graba nada',
  'Name the file of the recording too, such as --record day.ndjson.':
    'Indica también el archivo de la grabación, como --record day.ndjson.',
  '{named}: a command is missing': '{named}: falta un comando',
  'See: {named} --help': 'Consulta: {named} --help',
  'To pass an argument that begins with a dash, write {dashes} before it. See: {named} --help':
    'Si un argumento empieza con un guion, escribe {dashes} antes. Consulta: {named} --help',
  'The command is for Git Bash, because PowerShell reads quotes and $BNPL_API_KEY differently.':
    'El comando es para Git Bash, porque PowerShell lee de otra manera las comillas y $BNPL_API_KEY.',
  'A number or a duration cannot be negative. {advice}':
    'Un número o una duración no puede ser negativo. {advice:text}',
  'because a secret must not be an argument.': 'porque un secreto no debe ser un argumento.',
  'Use --api-key-stdin, --api-key-file or a hidden prompt, {why}':
    'Usa --api-key-stdin, --api-key-file o la pregunta oculta, {why:text}',
  'Use --secret-stdin, --secret-file or a hidden prompt, {why}':
    'Usa --secret-stdin, --secret-file o la pregunta oculta, {why:text}',
  'Use --secret-stdin, --secret-file or BNPL_WEBHOOK_SECRET, {why}':
    'Usa --secret-stdin, --secret-file o BNPL_WEBHOOK_SECRET, {why:text}',
  'Set BNPL_API_KEY or BNPL_WEBHOOK_SECRET to pass a secret, {why} See: {named} --help':
    'Para pasar un secreto, define BNPL_API_KEY o BNPL_WEBHOOK_SECRET, {why:text} Consulta: {named} --help',
  'Name the evaluation with an option: --rut with the national id, or --lead-id with the id of the lead':
    'Indica la evaluación con una opción: --rut con el RUT, o --lead-id con el id del lead',
  'Give the method first: bnpl api GET /path': 'Indica primero el método: bnpl api GET /path',
  'Write the id as an argument: {known} {argument}{account}':
    'Escribe el id como argumento: {known} {argument}{account}',
  'Write each value as an option. For the transaction id, use --trx: {known} --trx TRX {needed}{account}':
    'Escribe cada valor como opción. Para el id de la transacción, usa --trx: {known} --trx TRX {needed}{account}',
  'Type a value, or press Ctrl-C to stop.': 'Escribe un valor, o presiona Ctrl-C para terminar.',
  'bash, zsh, fish or powershell': 'bash, zsh, fish o powershell',
  'the words after `bnpl`; the last is the word at the cursor. For PowerShell, one word: the lines of all words, in base64':
    'las palabras después de `bnpl`; la última es la del cursor. Para PowerShell, una palabra: las líneas de todas, en base64',
  'the words that can follow `bnpl webhooks`': 'las palabras que pueden seguir a `bnpl webhooks`',
  'every installment is paid': 'todas las cuotas están pagadas',
  'the operations tool of merchants that sell in installments':
    'la herramienta de operaciones de los comercios que venden en cuotas',
  'a new loan': 'un crédito nuevo',
  'the loan was cancelled': 'el crédito fue anulado',
  'the whole service on this machine': 'todo el servicio en este equipo',
  'the sandbox: an inactive real-estate account': 'el sandbox: una cuenta inmobiliaria inactiva',
  'the sandbox: a real-estate account {with} the evaluation module':
    'el sandbox: una cuenta inmobiliaria {with:text} el módulo de evaluación',
  without: 'sin',
  'the shell you use': 'la shell que usas',
  'bash (with its completion package)': 'bash (con su paquete de completado)',
  'zsh, into a folder of $fpath': 'zsh, en una carpeta de $fpath',
  'bash, only for this session': 'bash, solo para esta sesión',
  'PowerShell, in the file $PROFILE': 'PowerShell, en el archivo $PROFILE',
  'To keep a command running after that, start it with nohup or as a service.':
    'Para que un comando siga después de eso, inícialo con nohup o como servicio.',
  'bnpl was ended, because its terminal or session has ended (SIGHUP)':
    'bnpl terminó, porque su terminal o su sesión terminó (SIGHUP)',
  'several failures': 'varios fallos',
  'the command ended without a result': 'el comando terminó sin resultado',
  'a fault in bnpl itself, {place}': 'un error de bnpl mismo, {place}',
  'an unexpected fault in bnpl itself': 'un error inesperado de bnpl mismo',
  'writing to stdout': 'escribir en stdout',
  'reading stdin': 'leer stdin',
  'The terminal or session has ended (SIGHUP). bnpl continues, because it was started with nohup.':
    'El terminal o la sesión terminó (SIGHUP). bnpl continúa, porque se inició con nohup.',
  'the current folder was removed': 'la carpeta actual ya no existe',
  'Change to another folder: cd ~': 'Cambia a otra carpeta: cd ~',
  'this user has no home folder in which bnpl could store settings and state':
    'este usuario no tiene una carpeta personal donde bnpl pueda guardar la configuración y el estado',
  'Set HOME, or set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders for settings and state.':
    'Define HOME, o define BNPL_CONFIG_DIR y BNPL_STATE_DIR con carpetas para la configuración y el estado.',
  Check: 'Verificación',
  '{count} more checks': '{count} {count:verificación|verificaciones} más',
  'no check ran': 'no se hizo ninguna verificación',
  '{failed} of {ran} checks failed: {names}':
    '{failed:falló|fallaron} {failed} de {ran} {ran:verificación|verificaciones}: {names:list}',
  'Before you run the command again, check what it has already done.':
    'Antes de ejecutar el comando de nuevo, revisa qué hizo ya.',
  'the result could not be written to stdout ({code})': 'el resultado no se pudo escribir en stdout ({code})',
  'Check the disk, or the program that reads stdout. {advice}':
    'Revisa el disco, o el programa que lee stdout. {advice:text}',
  '! {dropped} line{are} missing here, because the terminal was paused.':
    '! Aquí {dropped:falta|faltan} {dropped} {dropped:línea|líneas}, porque el terminal estaba en pausa.',
  'Answer y (yes, sí) or n (no).': 'Responde s (sí) o n (no).',
  Number: 'Número',
  'Answer with a number from 1 to {count}.': 'Responde con un número del 1 al {count}.',
  Yes: 'Sí',
  No: 'No',
  'the question “{message}” must be answered, but this run cannot ask questions':
    'la pregunta «{message:text}» necesita una respuesta, pero esta ejecución no puede hacer preguntas',
  'Give the value as an option. See --help.': 'Indica el valor como opción. Consulta --help.',
  'after that, this failed too: {other}': 'después falló también: {other:text}',
  '(last step: {step})': '(último paso: {step:text})',
  'a fault in bnpl {version} itself: `{command}` ended without a result{last}':
    'un error de bnpl {version} mismo: `{command}` terminó sin resultado{last:text}',
  'Before you run the command again, check what it has done. Please send the line above to the maintainers of bnpl.':
    'Antes de ejecutar el comando de nuevo, revisa qué hizo. Envía la línea de arriba a quienes mantienen bnpl.',
  'a fault in bnpl {version} itself ({place}); it is not caused by your input':
    'un error de bnpl {version} mismo ({place}); no lo causó lo que escribiste',
  'Please send the line above and your command to the maintainers of bnpl, without keys and ids.':
    'Envía la línea de arriba y tu comando a quienes mantienen bnpl, sin claves ni ids.',
  '! {missing} line{are} missing here, because stderr could not be written.':
    '! Aquí {missing:falta|faltan} {missing} {missing:línea|líneas}, porque no se pudo escribir en stderr.',
  'Texts with … are cut; --json prints the whole texts.':
    'Los textos con … están cortados; --json los muestra completos.',
  'it does not exist': 'no existe',
  'it is a folder': 'es una carpeta',
  'permission denied': 'sin permiso',
  'another program has it open': 'otro programa lo tiene abierto',
  'its symbolic links form a loop': 'sus enlaces simbólicos forman un ciclo',
  'it is nested deeper than {depth} levels': 'tiene más de {depth} niveles',
  'it is not UTF-8 text': 'no es texto UTF-8',
  'it has more than {count} values': 'tiene más de {count} valores',
  'it is a web page, not JSON': 'es una página web, no JSON',
  '. Did you mean {meant}?': '. ¿Quizás {meant:text}?',
  'one of {list}': 'uno de {list}',
  '{separator} and {more} more': '{separator} y {more} más',
  'Nothing was recorded in {file}, because this command made no call to the service.':
    'No se grabó nada en {file}, porque este comando no llamó al servicio.',
  'a question at the terminal': 'una pregunta en el terminal',
  'opening the history': 'abrir el historial',
  'opening the sandbox': 'abrir el sandbox',
  'Waiting up to {duration} for a receiver to accept the delivery of the event …':
    'Esperando hasta {duration} a que un receptor acepte la entrega del evento …',
  'no profile is chosen, and no service is set in the environment':
    'no hay un perfil elegido, ni un servicio en las variables de entorno',
  'Use `-p sandbox` to try bnpl at once. For a real account: bnpl profiles add NAME, or set BNPL_BASE_URL and BNPL_API_KEY.':
    'Usa `-p sandbox` para probar bnpl de inmediato. Para una cuenta real: bnpl profiles add NAME, o define BNPL_BASE_URL y BNPL_API_KEY.',
  'profile {name} has no base address': 'el perfil {name} no tiene dirección base',
  'Set the address: bnpl profiles set baseUrl https://… -p {name}':
    'Define la dirección: bnpl profiles set baseUrl https://… -p {name}',
  '{what} on production?': '¿{what:text} en producción?',
  'this would {what} on the production profile {where}, but this run cannot ask for confirmation':
    'esto va a {what:text} en el perfil de producción {where}, pero esta ejecución no puede pedir confirmación',
  'nothing was changed': 'no se cambió nada',
  'NODE_TLS_REJECT_UNAUTHORIZED=0 would send your key to any server that answers':
    'con NODE_TLS_REJECT_UNAUTHORIZED=0 tu clave llegaría a cualquier servidor que responda',
  'Unset NODE_TLS_REJECT_UNAUTHORIZED. For a private certificate authority, set NODE_EXTRA_CA_CERTS to the file with its certificate.':
    'Quita NODE_TLS_REJECT_UNAUTHORIZED. Para una autoridad certificadora privada, define NODE_EXTRA_CA_CERTS con el archivo de su certificado.',
  'NODE_DEBUG={value} makes Node print all requests and answers, with keys and national ids':
    'con NODE_DEBUG={value}, Node muestra todas las solicitudes y respuestas, con claves y RUT',
  'Unset NODE_DEBUG, and use --verbose, which masks keys and ids.':
    'Quita NODE_DEBUG y usa --verbose, que oculta claves e ids.',
  '{what}. Do not share that output': '{what:text}. No compartas esa salida',
  'opening the recording': 'abrir la grabación',
  '{count} recorded in {file}.': '{count:text} en {file}.',
  'Nothing was': 'Nada',
  was: 'fue',
  were: 'fueron',
  '{field} in the query of {whole}': '{field} en la consulta de {whole:text}',
  ', and {count} more (the last line of the file lists them)':
    ', y {count} más (la última línea del archivo los muestra)',
  'field was': 'campo',
  'fields were': 'campos',
  'it contains': 'qué contiene',
  'they contain': 'qué contienen',
  '{count} {verb} left out: {named}{more}. bnpl does not know what {subject}. To keep a field, add --record-keep FIELD, but only if it contains no secret and no personal data.':
    'Se {count:omitió|omitieron} {count} {verb:text}: {named:list}{more:list}. bnpl no sabe {subject:text}. Para conservar un campo, agrega --record-keep FIELD, pero solo si no contiene secretos ni datos personales.',
  'a download': 'una descarga',
  '{variable} overrides the settings of profile {name}. Unset the variable if you do not want that':
    '{variable} tiene prioridad sobre la configuración del perfil {name}. Si no quieres eso, quita la variable',
  '{variable} and {other} override the settings of profile {name}. Unset the variables that you do not want':
    '{variable} y {other} tienen prioridad sobre la configuración del perfil {name}. Quita las variables que no quieres',
  'the sandbox does not have the account of profile {name}': 'el sandbox no tiene la cuenta del perfil {name}',
  'List the profiles of the sandbox: bnpl sandbox status': 'Lista los perfiles del sandbox: bnpl sandbox status',
  'an argument contains an API key or a webhook secret, so nothing was sent: every user of this machine can read arguments':
    'un argumento contiene una clave de API o un secreto de webhooks, así que no se envió nada: todo usuario de este equipo puede leer los argumentos',
  'Remove it from the command line, and replace the key if other users or logs may have seen it. bnpl adds the key to a call by itself.':
    'Quítalo de la línea de comandos, y reemplaza la clave si otros usuarios o registros pueden haberla visto. bnpl agrega la clave a cada llamada por sí mismo.',
  'Use: {option}': 'Usa: {option}',
}
