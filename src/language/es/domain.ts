import type { Catalogue } from '../packing.ts'

export const domain: Catalogue = {
  'it must be written without separators, as {part}, because in a file {part2} may also be a decimal number':
    'debe escribirse sin separadores, como {part}, porque en un archivo {part2} también puede ser un número decimal',
  'it must be a whole number, digits only': 'debe ser un número entero, solo dígitos',
  'it is larger than 2^53 − 1 and would be rounded': 'es mayor que 2^53 − 1 y se redondearía',
  'it must be greater than zero': 'debe ser mayor que cero',
  'it must be a whole number of currency units, such as 250000 or 250.000':
    'debe ser un número entero de unidades de la moneda, como 250000 o 250.000',
  'as given': 'como se dio',
  'with its timestamp and a dot before it': 'con su hora y un punto adelante',
  'without the byte order mark': 'sin la marca de orden de bytes',
  'with a byte order mark': 'con una marca de orden de bytes',
  'without the line break at its end': 'sin el salto de línea al final',
  'with a line feed at its end': 'con un salto de línea al final',
  'with a CRLF at its end': 'con un CRLF al final',
  'with CRLF line ends changed to LF': 'con CRLF cambiado a LF',
  'with LF line ends changed to CRLF': 'con LF cambiado a CRLF',
  'without the white space around it': 'sin los espacios alrededor',
  're-encoded from Latin-1': 'recodificado desde Latin-1',
  'parsed and written again without spaces, as JSON.stringify does':
    'interpretado y escrito otra vez sin espacios, como JSON.stringify',
  'parsed and written again, indented by 2': 'interpretado y escrito otra vez, con sangría de 2',
  'parsed and written again, indented by 4': 'interpretado y escrito otra vez, con sangría de 4',
  'parsed and written again without spaces, with \\u escapes':
    'interpretado y escrito otra vez sin espacios, con escapes \\u',
  'parsed and written again, as Python does (", " and ": ")':
    'interpretado y escrito otra vez, como Python (", " y ": ")',
  'parsed and written again, as Python does, with \\u escapes':
    'interpretado y escrito otra vez, como Python, con escapes \\u',
  'parsed and written again, as PHP does (\\/ and \\u escapes)':
    'interpretado y escrito otra vez, como PHP (escapes \\/ y \\u)',
  'parsed, and written again with the unusual spaces and escapes of the sandbox':
    'interpretado, y escrito otra vez con los espacios y escapes poco comunes del sandbox',
  'parsed and written again without spaces, with sorted keys':
    'interpretado y escrito otra vez sin espacios, con las claves ordenadas',
  'it is not an object': 'no es un objeto',
  'it has no eventId': 'no tiene eventId',
  'its eventId is not valid Unicode': 'su eventId no es Unicode válido',
  'its eventId is longer than {MAX_EVENT_ID} characters': 'su eventId es más largo que {MAX_EVENT_ID} caracteres',
  'it has no data': 'no tiene data',
  'it has the field {twice} twice, and programs differ on which one counts':
    'tiene el campo {twice} dos veces, y los programas difieren en cuál cuenta',
  'it is empty': 'está vacío',
  '"{value}" would change the address of the call': '"{value}" cambiaría la dirección de la llamada',
  'it contains a control character': 'contiene un carácter de control',
  'it is not valid Unicode': 'no es Unicode válido',
  'it is longer than 10 kB': 'es más largo que 10 kB',
  'this is a rounded number, as spreadsheets write a long one, and not the id':
    'este es un número redondeado, como las planillas escriben uno largo, y no el id',
  'this is an error of a spreadsheet, and not an id': 'este es un error de una planilla, y no un id',
  'this word means that there is no value': 'esta palabra significa que no hay valor',
  'this is an id that a program read as a number and wrote with decimals':
    'este es un id que un programa leyó como número y escribió con decimales',
  'this is a formula of a spreadsheet, and not its result': 'esta es una fórmula de una planilla, y no su resultado',
  'this id contains a character that nobody can see': 'este id contiene un carácter que nadie puede ver',
  'the loan has {periods} periods, but its schedule has {length}':
    'el crédito tiene {periods} {periods:cuota|cuotas}, pero su calendario tiene {length}',
  'the periods of the schedule are not numbered 1, 2, 3 …': 'las cuotas del calendario no están numeradas 1, 2, 3 …',
  'the due dates are not in order': 'las fechas de vencimiento no están en orden',
  'the payments together are less than the loan': 'los pagos sumados son menos que el crédito',
  'the interest rate is negative': 'la tasa de interés es negativa',
  'it contains a backslash, which would be read as “/”; write it as %5C in a user name or a password':
    'contiene una barra invertida, que se leería como «/»; en un usuario o una contraseña, escríbela como %5C',
  'it must have two slashes after the first colon, as in https://':
    'debe tener dos barras después del primer dos puntos, como en https://',
  'it has an “@” after the first “/”, “?” or “#”; write these characters as %2F, %3F and %23 in a password, and “@” as %40 elsewhere':
    'tiene una «@» después de la primera «/», «?» o «#»; en una contraseña escribe estos caracteres como %2F, %3F y %23, y en otros lugares la «@» como %40',
  'it is not an absolute address such as https://api.example.com':
    'no es una dirección completa como https://api.example.com',
  'it must start with https://{other}': 'debe empezar con https://{other:text}',
  'it must start with https://': 'debe empezar con https://',
  'it must not have a query or a fragment': 'no debe tener consulta ni fragmento',
  'Git Bash has changed the value to the name of a file. Set MSYS_NO_PATHCONV=1 for the command.':
    'Git Bash cambió el valor por el nombre de un archivo. Define MSYS_NO_PATHCONV=1 para el comando.',
  'Git Bash has changed the path to the name of a file. Set MSYS_NO_PATHCONV=1 for the command, or write the path with two slashes at its beginning: /{path}':
    'Git Bash cambió la ruta por el nombre de un archivo. Define MSYS_NO_PATHCONV=1 para el comando, o escribe la ruta con dos barras al inicio: /{path}',
  'the connection is reset, and nothing is done': 'la conexión se corta, y no se hace nada',
  'the answer is 30 s late, and the call is carried out even if the caller stops waiting':
    'la respuesta llega 30 s tarde, y la llamada se realiza aunque quien llama deje de esperar',
  'the answer is 429 with Retry-After, and nothing is done': 'la respuesta es 429 con Retry-After, y no se hace nada',
  'the answer is 500, and nothing is done': 'la respuesta es 500, y no se hace nada',
  'the connection is closed, and the call is not carried out': 'la conexión se cierra, y la llamada no se realiza',
  'the call is carried out, and the connection is closed without an answer':
    'la llamada se realiza, y la conexión se cierra sin respuesta',
  "the connection is closed in the middle of the answer's body":
    'la conexión se cierra en medio del cuerpo de la respuesta',
  'the body of the answer is an HTML page': 'el cuerpo de la respuesta es una página HTML',
  'the answer contains only the first half of its body, and its stated length matches that half':
    'la respuesta contiene solo la primera mitad de su cuerpo, y la longitud indicada coincide con esa mitad',
  'the body of the answer is empty': 'el cuerpo de la respuesta está vacío',
  'every object of the answer has a field that is not in the specification':
    'cada objeto de la respuesta tiene un campo que no está en la especificación',
  'the fields of every object of the answer are in reverse order':
    'los campos de cada objeto de la respuesta van en orden inverso',
  'every amount of the answer is too low by 1': 'cada monto de la respuesta es menor en 1',
  'every state of the answer is CANCELLED': 'cada estado de la respuesta es CANCELLED',
  'the answer has the externalTrxId of another transaction': 'la respuesta tiene el externalTrxId de otra transacción',
  'the ids of the answer are those of another evaluation': 'los ids de la respuesta son los de otra evaluación',
  'the event is delivered twice': 'el evento se entrega dos veces',
  'the event is delivered 2 s late': 'el evento se entrega 2 s tarde',
  'the event is delivered before the payment page sends the customer back':
    'el evento se entrega antes de que la página de pago envíe al cliente de vuelta',
  'the event is delivered after the next event to its destination, or 2 s late if there is no next event':
    'el evento se entrega después del próximo evento a su destino, o 2 s tarde si no hay otro',
  'the event is never delivered': 'el evento nunca se entrega',
  'a copy of the event with a wrong signature is delivered first':
    'primero se entrega una copia del evento con una firma incorrecta',
  'after the event, another event with the same eventId and other amounts is delivered':
    'después del evento se entrega otro con el mismo eventId y otros montos',
  'a GET without a body arrives before the event, as if a redirect had changed the POST to a GET':
    'antes del evento llega un GET sin cuerpo, como si una redirección hubiera cambiado el POST a GET',
  'an event about a transaction of another shop is delivered first':
    'primero se entrega un evento sobre una transacción de otra tienda',
  'the customer pays and does not return': 'el cliente paga y no vuelve',
  'the customer returns twice': 'el cliente vuelve dos veces',
  'the customer returns with the parameters of another transaction':
    'el cliente vuelve con los parámetros de otra transacción',
  'the customer returns with the text “undefined” in every parameter':
    'el cliente vuelve con el texto «undefined» en cada parámetro',
  'the token expires before the customer pays': 'el token vence antes de que el cliente pague',
  'the customer cancels': 'el cliente cancela',
  'the payment is rejected': 'el pago se rechaza',
  'the payment is first rejected. The customer returns, tries again and pays':
    'el pago se rechaza primero. El cliente vuelve, lo intenta otra vez y paga',
  'webhook signing secret': 'secreto de firma de webhooks',
  'contains a space, a line break or a character that is not ASCII':
    'contiene un espacio, un salto de línea o un carácter que no es ASCII',
  'contains a character that is not allowed in a header': 'contiene un carácter que no se permite en un encabezado',
  'contains an invisible character, or bytes that are not UTF-8':
    'contiene un carácter invisible, o bytes que no son UTF-8',
  'has quotes around it': 'tiene comillas alrededor',
  'begins with the name of a variable and “=”': 'empieza con el nombre de una variable y «=»',
  'begins with a name, as in NAME=…': 'empieza con un nombre, como en NAME=…',
  'begins with “Bearer”': 'empieza con «Bearer»',
  'begins with a word of a header, as in “Bearer …”': 'empieza con una palabra de un encabezado, como en «Bearer …»',
  'begins or ends with a quote': 'empieza o termina con una comilla',
  'is not a secret, but what a program writes in place of a missing one':
    'no es un secreto, sino lo que un programa escribe cuando falta uno',
  'is missing': 'falta',
  'is not text, but {part}': 'no es texto, sino {part:text}',
  'a value of type {part}': 'un valor de tipo {part}',
  'is empty': 'está vacío',
  'is empty: it consists of white space': 'está vacío: consiste en espacios',
  'one of several signatures that are joined by commas': 'una de varias firmas unidas por comas',
  'without its prefix {prefix}': 'sin su prefijo {prefix}',
  'without its quotes': 'sin sus comillas',
  'decoded from hex': 'decodificado de hex',
  'decoded from base64': 'decodificado de base64',
  'decoded from base64, without its prefix': 'decodificado de base64, sin su prefijo',
  '{before}, then {form}': '{before:text}, luego {form:text}',
  'decompressed with gzip': 'descomprimido con gzip',
  'decompressed with deflate': 'descomprimido con deflate',
  'decompressed with brotli': 'descomprimido con brotli',
  'converted from UTF-16 to UTF-8': 'convertido de UTF-16 a UTF-8',
  'read from the JSON text that contains it': 'leído del texto JSON que lo contiene',
  'taken from the field body of the event of a gateway': 'tomado del campo body del evento de una pasarela',
  'decoded from the percent-encoding of a form': 'decodificado de la codificación con % de un formulario',
  'decoded from UTF-8 that was encoded twice': 'decodificado de UTF-8 que se codificó dos veces',
  'The body contains characters that replace bytes that were not UTF-8 (U+FFFD), or bytes that are not UTF-8':
    'El cuerpo contiene caracteres que reemplazan bytes que no eran UTF-8 (U+FFFD), o bytes que no son UTF-8',
  'The body contains “?” inside words, where a program that saved it may have lost a letter such as ñ':
    'El cuerpo contiene «?» dentro de palabras, donde un programa que lo guardó puede haber perdido una letra como ñ',
}
