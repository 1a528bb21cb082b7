import type { Catalogue } from '../packing.ts'

export const client: Catalogue = {
  'an answer without a head': 'una respuesta sin encabezado',
  'no secure connection within {timeoutMs} ms': 'sin conexión segura en {timeoutMs} ms',
  'the answer to “{summary}” has a shape that the specification does not show: {part}':
    'la respuesta a «{summary:text}» tiene una forma que la especificación no muestra: {part:text}',
  'it has no `data`': 'no tiene `data`',
  'it has no `data`, so the fields were read from its top level':
    'no tiene `data`, así que los campos se leyeron de su nivel superior',
  'could not {summary}: {status}{named}, but the service may have carried out the call{said}':
    'no se pudo {summary:text}: {status}{named}, pero el servicio puede haber realizado la llamada{said:quoted}',
  'could not {summary}: {meaning} ({status}{named}){said}':
    'no se pudo {summary:text}: {meaning:text} ({status}{named}){said:quoted}',
  'could not {summary}: the answer ({status}) is a web page, so this is probably not the address of the service':
    'no se pudo {summary:text}: la respuesta ({status}) es una página web, así que probablemente esta no es la dirección del servicio',
  'could not read the answer to “{summary}”: {reason}':
    'no se pudo leer la respuesta a «{summary:text}»: {reason:text}',
  'could not {summary}: {meaning} ({part}, with nothing in `data`)':
    'no se pudo {summary:text}: {meaning:text} ({part}, sin nada en `data`)',
  'no answer from {where} to “{summary}”: {what}; the call may have been carried out':
    'sin respuesta de {where} a «{summary:text}»: {what:text}; la llamada puede haberse realizado',
  'could not {summary}: {where}: {what}': 'no se pudo {summary:text}: {where}: {what:text}',
  'interrupted while waiting for the answer to “{summary}”; the call may have been carried out':
    'interrumpido mientras se esperaba la respuesta a «{summary:text}»; la llamada puede haberse realizado',
  'the answer has an encoding that was not requested': 'la respuesta tiene una codificación que no se pidió',
  'the content type of the answer is not PDF': 'el tipo de contenido de la respuesta no es PDF',
  'the answer is larger than a report can be': 'la respuesta es más grande de lo que puede ser un informe',
  'could not download the report: {host}: the connection was cut off ({reason})':
    'no se pudo descargar el informe: {host}: la conexión se cortó ({reason:text})',
  'Run the command again, which is safe. Nothing was saved.':
    'Ejecuta el comando otra vez: es seguro. No se guardó nada.',
  'the answer of {host} is not the report: {reason}': 'la respuesta de {host} no es el informe: {reason:text}',
  'Try again in a minute. If it fails again, ask the operator of the service. Nothing was saved.':
    'Prueba otra vez en un minuto. Si vuelve a fallar, pregunta al operador del servicio. No se guardó nada.',
  "{host} answered {status} to the report's link, instead of a redirect to the download":
    '{host} respondió {status} al enlace del informe, en vez de una redirección a la descarga',
  'This may be a signed link, which leads to the PDF itself. Use the urlInforme of the evaluation instead, or the id of the report.':
    'Este puede ser un enlace firmado, que lleva al propio PDF. Usa el urlInforme de la evaluación, o el id del informe.',
  'Use the complete urlInforme of an evaluation, as received (in quotes, because it may contain a &).':
    'Usa el urlInforme completo de una evaluación, como se recibió (entre comillas, porque puede contener un &).',
  'it is an address of this machine, but the service is on another machine':
    'es una dirección de este equipo, pero el servicio está en otro',
  'the link that {host} sent for the report cannot be used: {reason}; nothing was fetched from the link':
    'no se puede usar el enlace que {host} envió para el informe: {reason:text}; no se descargó nada de él',
  '{bytes} of {declared} bytes arrived': 'llegaron {bytes} de {declared} bytes',
  'the file is empty': 'el archivo está vacío',
  'the file does not start like a PDF': 'el archivo no empieza como un PDF',
  'the end mark of a PDF ({END_MARK}) is missing': 'falta la marca final de un PDF ({END_MARK})',
  '{what} within {ms} ms': '{what:text} en {ms} ms',
  'no complete answer': 'sin respuesta completa',
  'no data arrived': 'no llegaron datos',
  'too many small chunks': 'demasiados trozos pequeños',
  'the answer is larger than {maxBytes} bytes': 'la respuesta es mayor que {maxBytes} bytes',
  'HTTPS_PROXY is not the address of an http or https proxy': 'HTTPS_PROXY no es la dirección de un proxy http o https',
  'Write it as http://proxy.example:3128, or unset HTTPS_PROXY.':
    'Escríbela como http://proxy.example:3128, o quita HTTPS_PROXY.',
  'it has a “?” or “#”, which the address of a proxy cannot have':
    'tiene un «?» o «#», que la dirección de un proxy no puede tener',
  'the percent-encoding of the user or password in HTTPS_PROXY is wrong':
    'la codificación con % del usuario o la contraseña en HTTPS_PROXY está mal',
  'Write a percent sign as %25, and other special characters in the same way.':
    'Escribe un signo de porcentaje como %25, y otros caracteres especiales del mismo modo.',
  'the address in HTTPS_PROXY would be read otherwise than it was meant: {reason}':
    'la dirección de HTTPS_PROXY se leería de otro modo que el previsto: {reason:text}',
  'Write it as http://user:password@proxy.example:3128, with special characters in the user and the password percent-encoded.':
    'Escríbela como http://user:password@proxy.example:3128, con los caracteres especiales del usuario y la contraseña codificados con %.',
  '{hint} Nothing was sent.': '{hint:text} No se envió nada.',
  'status {status}': 'estado {status}',
  'the path “{path}” cannot be called: {why}': 'no se puede llamar a la ruta «{path}»: {why:text}',
  'Write a path such as /partner/webhook.': 'Escribe una ruta como /partner/webhook.',
  'it begins like a complete address, but the key is sent only to the address of the profile':
    'empieza como una dirección completa, pero la clave se envía solo a la dirección del perfil',
  'it must begin with /': 'debe empezar con /',
  'it contains a character that must be encoded in an address':
    'contiene un carácter que debe codificarse en una dirección',
  '“.” and “..” would lead to another path': '«.» y «..» llevarían a otra ruta',
  'it would lead to another address': 'llevaría a otra dirección',
  'call {method} {path}': 'llamar a {method} {path}',
  '{url} is probably registered: the answer was a success, but it had no id, and this failed: {message}':
    '{url} está probablemente registrada: la respuesta fue un éxito, pero no tenía id, y esto falló: {message:text}',
  'List the destinations before you register the address again.':
    'Lista los destinos antes de registrar la dirección otra vez.',
  '{url} is not registered: the answer was a success, but it had no id, and the address is not in the list of destinations':
    '{url} no está registrada: la respuesta fue un éxito, pero no tenía id, y la dirección no está en la lista de destinos',
  'Register the address again. If the answer is the same, ask the support of the service.':
    'Registra la dirección otra vez. Si la respuesta es la misma, pregunta al soporte del servicio.',
  'no API key is set for this call': 'no hay una clave de API para esta llamada',
  'the setting {setting} is not valid: it must be one of {part}':
    'la configuración {setting} no es válida: debe ser uno de {part}',
  'Set {setting} to {part}. Nothing was sent.': 'Define {setting} como {part:list}. No se envió nada.',
  'the setting {setting} is not a path: it must begin with /':
    'la configuración {setting} no es una ruta: debe empezar con /',
  'the path to {summary} is not published, and {setting} is not set':
    'la ruta para {summary:text} no está publicada, y {setting} no está definida',
  '{part} cannot be sent: {problem}': '{part:text} no se puede enviar: {problem:text}',
  'the request': 'la llamada',
  'it is missing': 'falta',
  'it is not text': 'no es texto',
  'the connection failed': 'la conexión falló',
  'a part of a path': 'una parte de una ruta',
  'an address': 'una dirección',
  words: 'palabras',
  unknown: 'desconocido',
  'line {line} of {path}': '{line:línea|línea} {line} de {path}',
  'the field “{field}” is missing or has a wrong value': 'el campo «{field}» falta o tiene un valor incorrecto',
  'Name a file that was written by --record.': 'Nombra un archivo que escribió --record.',
  '{where} is not an entry of a recording: {why}': '{where:text} no es una entrada de una grabación: {why:text}',
  '{path} has a line of more than 32 MiB': '{path} tiene una línea de más de 32 MiB',
  'at most 256 KiB, or 1 MiB after decompression, so that --strict can compare it':
    'como máximo 256 KiB, o 1 MiB descomprimido, para que --strict lo pueda comparar',
  'a larger body': 'un cuerpo más grande',
  'chunks of more than a few bytes': 'trozos de más que unos pocos bytes',
  'thousands of chunks of a few bytes': 'miles de trozos de pocos bytes',
  'the request must have exactly one Host header, which names the proxy':
    'la llamada debe tener exactamente un encabezado Host, que nombre el proxy',
  'with --with-key the proxy refuses calls from a page in a browser':
    'con --with-key el proxy rechaza llamadas de una página en un navegador',
  'the target of the request is not a path below the address of the service. The proxy sends requests only to the service for which it was started':
    'el destino de la llamada no es una ruta bajo la dirección del servicio. El proxy envía llamadas solo al servicio para el que se inició',
  'the request differs from the contract, so it was not sent': 'la llamada difiere del contrato, así que no se envió',
  'the request is not valid HTTP/1.1, so it was not passed on': 'la llamada no es HTTP/1.1 válido, así que no se pasó',
  'a body as the headers say': 'un cuerpo como dicen los encabezados',
  'other bytes': 'otros bytes',
  'a recording of bnpl': 'una grabación de bnpl',
  '{error}; nothing more is recorded, but the command continues':
    '{error:text}; no se graba nada más, pero el comando sigue',
  'another call': 'otra llamada',
  '({length} bytes, not shown)': '({length} bytes, no se muestran)',
  '… ({length} bytes in all)': '… ({length} bytes en total)',
  'opaque, {length} characters': 'opaco, {length} caracteres',
}
