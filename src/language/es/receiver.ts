import type { Catalogue } from '../packing.ts'

export const receiver: Catalogue = {
  'the header {part}': 'el encabezado {part}',
  '{header} (scheme hmac: {algorithm}, {encoding})': '{header:text} (esquema hmac: {algorithm}, {encoding})',
  '{header} (scheme hmac: {algorithm}, {encoding}, with a timestamp)':
    '{header:text} (esquema hmac: {algorithm}, {encoding}, con una hora)',
  '{header} (scheme token)': '{header:text} (esquema token)',
  'Answer 2xx to every delivery whose signature or token is valid. Check whether the receiver refuses a field or the form of the body.':
    'Responde 2xx a cada entrega cuya firma o token sea válido. Revisa si el receptor rechaza un campo o la forma del cuerpo.',
  'Check that the receiver has the same secret (or token), and that it verifies the raw bytes.':
    'Revisa que el receptor tenga el mismo secreto (o token), y que verifique los bytes sin cambios.',
  'Check what stands before the receiver: a firewall, a login page or a CSRF protection may refuse a POST without a cookie. If the receiver itself answers 403, check its secret (or token).':
    'Revisa qué hay delante del receptor: un firewall, una página de inicio de sesión o una protección CSRF puede rechazar un POST sin cookie. Si el propio receptor responde 403, revisa su secreto (o token).',
  'Check the path of the address, and that the receiver has a route for it.':
    'Revisa la ruta de la dirección, y que el receptor la atienda.',
  'Let the route accept POST. It may accept only GET.': 'Haz que la ruta acepte POST. Puede que acepte solo GET.',
  'Let the receiver, or the server before it, accept a body with Content-Length.':
    'Haz que el receptor, o el servidor delante de él, acepte un cuerpo con Content-Length.',
  'Allow bodies of up to 1 MiB, also in the server before the receiver (nginx: client_max_body_size).':
    'Permite cuerpos de hasta 1 MiB, también en el servidor delante del receptor (nginx: client_max_body_size).',
  'Accept the Content-Type application/json, and read the body as raw bytes.':
    'Acepta el Content-Type application/json, y lee el cuerpo como bytes sin cambios.',
  'Exclude the route from the CSRF protection (Laravel: validateCsrfTokens(except: […]), or the file routes/api.php). Deliveries have no CSRF token.':
    'Excluye la ruta de la protección CSRF (Laravel: validateCsrfTokens(except: […]), o el archivo routes/api.php). Las entregas no tienen un token CSRF.',
  'Answer 2xx to every delivery whose signature or token is valid. The receiver refuses a field of the body (Laravel and FastAPI answer 422 if a validation fails).':
    'Responde 2xx a cada entrega cuya firma o token sea válido. El receptor rechaza un campo del cuerpo (Laravel y FastAPI responden 422 si una validación falla).',
  'Exclude the address from the rate limit. The service may send many deliveries at once.':
    'Excluye la dirección del límite de llamadas. El servicio puede enviar muchas entregas a la vez.',
  'See the log of the receiver: it failed while it processed the delivery.':
    'Mira el registro del receptor: falló mientras procesaba la entrega.',
  'Let the route accept POST.': 'Haz que la ruta acepte POST.',
  'Check that the receiver runs: the server before it got no valid answer.':
    'Revisa que el receptor esté en marcha: el servidor delante de él no tuvo una respuesta válida.',
  'Check that the receiver runs: the server before it has no receiver to pass the delivery to, or the receiver is overloaded.':
    'Revisa que el receptor esté en marcha: el servidor delante de él no tiene un receptor al cual pasar la entrega, o el receptor está sobrecargado.',
  'Answer before you process the event: the receiver did not answer the server before it in time.':
    'Responde antes de procesar el evento: el receptor no respondió a tiempo al servidor delante de él.',
  'Register the final address{location}, because the service does not follow redirects.':
    'Registra la dirección final{location:text}, porque el servicio no sigue redirecciones.',
  '(the answer redirects to {location})': '(la respuesta redirige a {location})',
  'answered {status} in {ms} ms': 'respondió {status} en {ms} ms',
  'no answer ({fault})': 'sin respuesta ({fault:text})',
  'Store the event, answer 200, and process it afterwards.': 'Guarda el evento, responde 200, y procésalo después.',
  '{reply}, so anybody could send events': '{reply:text}, así que cualquiera podría enviar eventos',
  'Refuse an invalid delivery with 401 at once.': 'Rechaza de inmediato con 401 una entrega no válida.',
  '{reply}, which is an error and not a refusal': '{reply:text}, que es un error y no un rechazo',
  'Refuse every delivery whose signature is missing, malformed or wrong, for example with 401. Your handler must not fail on such a delivery.':
    'Rechaza cada entrega cuya firma falta, está mal formada o es incorrecta, por ejemplo con 401. Tu manejador no debe fallar con una entrega así.',
  'Replace such escapes by \\ufffd before you parse the body, but after you have verified it. A program that cuts a text in the middle of an emoji sends them (unpaired surrogates). They are valid JSON, but the JSON parsers of PHP, Rust and .NET refuse them.':
    'Reemplaza esos escapes por \\ufffd antes de interpretar el cuerpo, pero después de verificarlo. Los envía un programa que corta un texto en medio de un emoji (surrogates sin pareja). Son JSON válido, pero los intérpretes JSON de PHP, Rust y .NET los rechazan.',
  'the service can deliver to the address': 'el servicio puede entregar a la dirección',
  'plain http is fine for a test, but destinations must use https':
    'http sin cifrar está bien para una prueba, pero los destinos deben usar https',
  'a delivery is accepted with 2xx within 3 s': 'una entrega se acepta con 2xx en 3 s',
  'Start the receiver, or check the address.': 'Inicia el receptor, o revisa la dirección.',
  'Answer 2xx to a delivery of the service. Check the secret (or the token).':
    'Responde 2xx a una entrega del servicio. Revisa el secreto (o el token).',
  'the answer is not a redirect': 'la respuesta no es una redirección',
  'answered {status}': 'respondió {status}',
  'Answer 2xx, because 304 is not an answer to a delivery.':
    'Responde 2xx, porque 304 no es una respuesta a una entrega.',
  'a repeated delivery is accepted': 'una entrega repetida se acepta',
  'Answer 2xx to a retry, which has the same eventId, and do not process it again.':
    'Responde 2xx a un reintento, que tiene el mismo eventId, y no lo proceses otra vez.',
  'a body with unusual spacing is accepted, because its raw bytes are verified':
    'un cuerpo con espacios poco comunes se acepta, porque se verifican sus bytes sin cambios',
  'Verify the raw bytes before you parse them, because JSON that was parsed and written again differs from the signed bytes.':
    'Verifica los bytes sin cambios antes de interpretarlos, porque un JSON interpretado y escrito otra vez difiere de los bytes firmados.',
  'a large body is accepted': 'un cuerpo grande se acepta',
  'Accept bodies of up to 1 MiB.': 'Acepta cuerpos de hasta 1 MiB.',
  'any text in a field is accepted': 'cualquier texto en un campo se acepta',
  'Accept any text, because names can contain accents, emoji and control characters.':
    'Acepta cualquier texto, porque los nombres pueden contener tildes, emoji y caracteres de control.',
  'half of an emoji, as an escape such as \\ud83d, is accepted':
    'medio emoji, como un escape del tipo \\ud83d, se acepta',
  'unknown fields are accepted': 'los campos desconocidos se aceptan',
  'Read the fields that you know and ignore the rest, because the service may add fields.':
    'Lee los campos que conoces e ignora el resto, porque el servicio puede agregar campos.',
  'an event of the destination’s second event type is accepted':
    'un evento del segundo tipo de eventos del destino se acepta',
  'this integration has only one event type': 'esta integración tiene un solo tipo de evento',
  'Handle both events at one address. A body with {part} is the event {other}.':
    'Maneja ambos eventos en una dirección. Un cuerpo con {part} es el evento {other}.',
  '20 deliveries at once are accepted within 3 s each': '20 entregas a la vez se aceptan, cada una en 3 s',
  'Answer before you process the event, so that one event does not wait for another.':
    'Responde antes de procesar el evento, para que un evento no espere a otro.',
  'the slowest took {part} ms': 'la más lenta tardó {part} ms',
  'a body that was tampered with is refused': 'un cuerpo alterado se rechaza',
  'a static token does not protect the body': 'un token fijo no protege el cuerpo',
  'Compute the HMAC over the raw bytes of the body, and compare it with the received signature.':
    'Calcula el HMAC sobre los bytes del cuerpo sin cambios, y compáralo con la firma recibida.',
  'a delivery without a signature is refused': 'una entrega sin firma se rechaza',
  'Answer 401 when the {signer} header is missing.': 'Responde 401 cuando falta el encabezado {signer}.',
  'a delivery with an empty signature is refused': 'una entrega con una firma vacía se rechaza',
  'Refuse an empty {signer} header, even if the receiver’s own secret is empty.':
    'Rechaza un encabezado {signer} vacío, aunque el secreto del receptor esté vacío.',
  'a delivery with a wrong signature is refused': 'una entrega con una firma incorrecta se rechaza',
  'Compare the whole header, in constant time.': 'Compara el encabezado completo, en tiempo constante.',
  'a delivery with only the beginning of the right signature is refused':
    'una entrega con solo el comienzo de la firma correcta se rechaza',
  'Compare the whole header, because a signature that was cut short is not valid.':
    'Compara el encabezado completo, porque una firma cortada no es válida.',
  'a malformed signature is refused': 'una firma mal formada se rechaza',
  'five malformed signatures were refused': 'cinco firmas mal formadas se rechazaron',
  'a delivery with the header of the other scheme is refused':
    'una entrega con el encabezado del otro esquema se rechaza',
  'Accept only the {signer} header, because the service always sends this header to this destination.':
    'Acepta solo el encabezado {signer}, porque el servicio siempre envía ese a este destino.',
  'the receiver cannot be reached': 'no hay conexión con el receptor',
  'the receiver does not answer in time': 'el receptor no responde a tiempo',
  unacknowledged: 'sin confirmar',
  recorded: 'grabado',
  unverified: 'sin verificar',
  'inbox.db was cut short': 'inbox.db se acortó',
  'inbox.db-wal was cut short': 'inbox.db-wal se acortó',
  '{what} while this receiver ran. No delivery is acknowledged until the receiver is started again':
    '{what:text} mientras este receptor estaba en marcha. No se confirma ninguna entrega hasta que el receptor se inicie otra vez',
  'inbox.db was overwritten': 'inbox.db se sobrescribió',
  '{path} could not be synced to the disk. No delivery is acknowledged until the receiver is started again on a disk that works':
    '{path} no se pudo llevar al disco. No se confirma ninguna entrega hasta que el receptor se inicie otra vez en un disco que funcione',
  '{path} was {loss} while this receiver ran; it was created again':
    '{path} fue {loss:text} mientras este receptor estaba en marcha; se creó otra vez',
  '{path} should contain the process id of a listener, but it contains other data':
    '{path} debería contener el id de proceso de un receptor, pero contiene otros datos',
  'another listener already receives into this inbox{who}': 'otro receptor ya recibe en esta bandeja{who:text}',
  'Stop that listener{part}, or set another BNPL_STATE_DIR for this listener.':
    'Detén ese receptor{part}, o define otra BNPL_STATE_DIR para este.',
  'the disk is full, so the inbox uses its reserve of 4 MiB. Make room now':
    'el disco está lleno, así que la bandeja usa su reserva de 4 MiB. Libera espacio ahora',
  '{path} should contain only zeros, which keep disk space free for the inbox, but it contains other data':
    '{path} debería contener solo ceros, que reservan espacio en disco para la bandeja, pero contiene otros datos',
  'the disk is nearly full, so there is no room for the inbox’s reserve of 4 MiB. Make room now':
    'el disco está casi lleno, así que no hay lugar para la reserva de 4 MiB de la bandeja. Libera espacio ahora',
  '{saved} contains the events of an inbox that was lost. If you do not need these events, remove the file. To replace the present inbox with it, stop the receiver, run this command, and start the receiver again: {saved2}':
    '{saved} contiene los eventos de una bandeja que se perdió. Si no los necesitas, borra el archivo. Para reemplazar con él la bandeja actual, detén el receptor, ejecuta este comando, e inicia el receptor otra vez: {saved2}',
  '{what} while this receiver ran: NO DELIVERY IS ACKNOWLEDGED ANY MORE (503). {then}':
    '{what:text} mientras este receptor estaba en marcha: YA NO SE CONFIRMA NINGUNA ENTREGA (503). {then:text}',
  'Stop the receiver, put this file back, and start the receiver again. To put it back, run: {saved}':
    'Detén el receptor, vuelve a poner este archivo, e inicia el receptor otra vez. Para volver a ponerlo, ejecuta: {saved}',
  'All acknowledged events are now saved in {saved}. {saved2}':
    'Todos los eventos confirmados están ahora en {saved}. {saved2:text}',
  'All acknowledged events are saved in {saved}. {saved2}':
    'Todos los eventos confirmados están en {saved}. {saved2:text}',
  'Stop the receiver and start it again.': 'Detén el receptor e inícialo otra vez.',
  'Do not stop this receiver, because only its open files still contain these events. It tries again every {part} s, and reports when the events are saved.':
    'No detengas este receptor, porque solo sus archivos abiertos contienen todavía estos eventos. Lo intenta otra vez cada {part} s, e informa cuando los eventos están a salvo.',
  'The acknowledged events could not be saved: {error}. {next}':
    'No se pudieron salvar los eventos confirmados: {error:text}. {next:text}',
  '{name} was removed or renamed': '{name} fue borrado o cambió de nombre',
  'The inbox could not be claimed again: {message}. Stop this receiver.':
    'No se pudo tomar la bandeja otra vez: {message:text}. Detén este receptor.',
  'the event’s {unsendable} contains a character that is not allowed in a header':
    '{unsendable:text} del evento contiene un carácter que no se permite en un encabezado',
  'no valid HTTP request can be made from the event': 'no se puede hacer una solicitud HTTP válida con el evento',
  '{status}, a redirect, which is not followed': '{status}, una redirección, que no se sigue',
  'nothing answers at the address': 'nadie responde en la dirección',
  'the handler’s host name was not found': 'no se encontró el nombre de host del manejador',
  'the handler’s answer is too large': 'la respuesta del manejador es demasiado grande',
  'the answer is not HTTP': 'la respuesta no es HTTP',
  'the database {name} failed': 'la base de datos {name} falló',
  '{what}: NO DELIVERY IS STORED. Every delivery is answered with 503 until the database is back':
    '{what:text}: NO SE GUARDA NINGUNA ENTREGA. Cada entrega recibe 503 hasta que la base de datos vuelva',
  'the database {name} is back after {part} s, and new deliveries are being stored':
    'la base de datos {name} volvió después de {part} s, y se guardan otra vez las entregas nuevas',
  'the database {name} cannot be reached': 'la base de datos {name} no está disponible',
  'the database {name} is read-only, so it may be a standby':
    'la base de datos {name} es de solo lectura, así que puede ser una réplica',
  refused: 'rechazada',
  'Check the disk of the state folder, or the database, because no delivery can be stored.':
    'Revisa el disco de la carpeta de estado, o la base de datos, porque no se puede guardar ninguna entrega.',
  'Check the disk of the state folder, or the database, because the listener did not answer {TRIES} test deliveries in time.':
    'Revisa el disco de la carpeta de estado, o la base de datos, porque el receptor no respondió a tiempo {TRIES} entregas de prueba.',
  "the listener's own test delivery was not acknowledged ({result})":
    'la propia entrega de prueba del receptor no se confirmó ({result:text})',
  'Check that --host is an address of this machine.': 'Revisa que --host sea una dirección de este equipo.',
  'not verified': 'no verificado',
  'not found': 'no encontrado',
  'too large': 'demasiado grande',
  'unsupported media type': 'tipo de contenido no aceptado',
  '{source} cannot be read: no answer within {part} s': 'no se puede leer {source:text}: sin respuesta en {part} s',
  '{source} contains no secret': '{source:text} no contiene un secreto',
  '{source} has a line with a space inside': '{source:text} tiene una línea con un espacio',
  '{source} has a line that is too short for a secret': '{source:text} tiene una línea demasiado corta para un secreto',
  'it has no {own} header': 'no tiene el encabezado {own}',
  'it has a {other} header, but this listener verifies {own}. To receive such deliveries, use --scheme {other2}':
    'tiene un encabezado {other}, pero este receptor verifica {own}. Para recibir esas entregas, usa --scheme {other2}',
  'its signature does not match the secret (run {check} with the raw body to see why)':
    'su firma no coincide con el secreto. Para ver por qué, ejecuta con el cuerpo sin cambios: {check}',
  'its token is not the token of this listener': 'su token no es el token de este receptor',
}
