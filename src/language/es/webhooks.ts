import type { Catalogue } from '../packing.ts'

export const webhooks: Catalogue = {
  '--filter “{each}” has no key': '--filter «{each}» no tiene clave',
  '--state “{text}” is not a state of an event': '--state «{text}» no es un estado de un evento',
  '--public-host “{text}” is not a host name': '--public-host «{text}» no es un nombre de host',
  '--path “{text}” is not a path': '--path «{text}» no es una ruta',
  '--scheme “{text}” is not a known scheme': '--scheme «{text}» no es un esquema conocido',
  '--forward-to “{text}” is not the address of a handler': '--forward-to «{text}» no es la dirección de un manejador',
  '--set “{assignment}” has no path': '--set «{assignment}» no tiene ruta',
  '--set: this event has no field “{path}”': '--set: este evento no tiene el campo «{path}»',
  'https address that will receive {events}': 'dirección https que recibirá {events:list}',
  'do nothing if the address is already registered': 'no hace nada si la dirección ya está registrada',
  'store the secret in the profile and do not show it': 'guarda el secreto en el perfil y no lo muestra',
  'is ignored with a warning, because this registration is always for {events} (for other events: `bnpl webhooks subscribe`)':
    'se ignora con una advertencia, porque este registro es siempre para {events:list} (para otros eventos: `bnpl webhooks subscribe`)',
  'is ignored with a warning, because this registration has no filters':
    'se ignora con una advertencia, porque este registro no tiene filtros',
  '{one} is not sent': '{one} no se envía',
  '{one} and {other} are not sent': '{one} y {other} no se envían',
  '{said}, because the service ignores events and filters in this registration and reports no error. This destination gets {events} and nothing else. For {others}, run: {context}':
    '{said:text}, porque el servicio ignora eventos y filtros en este registro y no informa ningún error. Este destino recibe {events:list} y nada más. Para {others:list}, ejecuta: {context}',
  'in a deployment script that runs often': 'en un script de despliegue que se ejecuta a menudo',
  'https address that will receive the events': 'dirección https que recibirá los eventos',
  'events to receive: {part}': 'eventos que se reciben: {part}',
  'send this filter as filters[key]=value; for example outcome=approved':
    'envía este filtro como filters[key]=value; por ejemplo outcome=approved',
  'send the filters in this JSON object, whose values are strings, numbers or booleans':
    'envía los filtros de este objeto JSON, cuyos valores son textos, números o booleanos',
  'receive only events of this project. The project is sent in the field that the profile setting projectField names':
    'recibe solo eventos de este proyecto. El proyecto se envía en el campo que nombra la configuración projectField del perfil',
  'do nothing if the address is already subscribed': 'no hace nada si la dirección ya está suscrita',
  'this destination receives only {given}. Its events cannot be changed. To get other events, run {context}, then subscribe again':
    'este destino recibe solo {given}. Sus eventos no se pueden cambiar. Para recibir otros eventos, ejecuta {context} y suscribe otra vez',
  'approved evaluations of one project': 'evaluaciones aprobadas de un proyecto',
  'both events': 'ambos eventos',
  '--event has no event': '--event no tiene ningún evento',
  '{unknown} needs no subscription, because every BNPL destination receives it':
    '{unknown} no necesita suscripción, porque lo recibe cada destino BNPL',
  'Register the destination with: {context}': 'Registra el destino con: {context}',
  '“{unknown}” is not an event': '«{unknown}» no es un evento',
  '--filter and --filters-json cannot be used together': '--filter y --filters-json no se pueden usar juntas',
  'Write the filter as key=value, for example outcome=approved.':
    'Escribe el filtro como key=value, por ejemplo outcome=approved.',
  '--filters-json is not JSON': '--filters-json no es JSON',
  '--filters-json must be an object whose values are strings, numbers or booleans':
    '--filters-json debe ser un objeto cuyos valores son textos, números o booleanos',
  'If this is a BNPL account, register the address with: {context}':
    'Si esta es una cuenta BNPL, registra la dirección con: {context}',
  '{url} is registered, but its secret was not stored. Register the address again after you have removed the destination with: {context}':
    '{url} está registrada, pero su secreto no se guardó. Registra la dirección otra vez después de quitar el destino con: {context}',
  'The address was already registered, so its secret is not shown again. To get a new secret, remove the destination, then register the address again. To remove it, run: {context}':
    'La dirección ya estaba registrada, así que su secreto no se muestra otra vez. Para un secreto nuevo, quita el destino y registra la dirección otra vez. Para quitarlo, ejecuta: {context}',
  'The answer to the registration has no id, so the list of destinations was read.':
    'La respuesta al registro no tiene id, así que se leyó la lista de destinos.',
  'Remove the new registration with: {context}': 'Quita el registro nuevo con: {context}',
  'Find the ids with: {context}': 'Mira los ids con: {context}',
  '{url} is registered {times} times now, and each registration gets its own deliveries, so an event can arrive {times2} times. {remove}. With --if-missing, an address is not registered again.':
    '{url} está registrada ahora {times} veces, y cada registro recibe sus propias entregas, así que un evento puede llegar {times2} veces. {remove:text}. Con --if-missing, una dirección no se registra otra vez.',
  '--save-secret stores the secret in a profile, but no profile is in use':
    '--save-secret guarda el secreto en un perfil, pero no hay ningún perfil en uso',
  '--save-secret cannot be used with the sandbox, because no profile of the sandbox can store a secret':
    '--save-secret no se puede usar con el sandbox, porque un perfil del sandbox no puede guardar un secreto',
  'Name a profile with --profile. Or leave out --save-secret: then the secret is printed.':
    'Nombra un perfil con --profile. U omite --save-secret: así se imprime el secreto.',
  'Leave out --save-secret, so that the secret is printed. Or run `bnpl webhooks listen -p sandbox --public-url URL`, which registers the address and needs no stored secret.':
    'Omite --save-secret para que se imprima el secreto. O ejecuta `bnpl webhooks listen -p sandbox --public-url URL`, que registra la dirección y no necesita un secreto guardado.',
  'the profile {profile} no longer exists': 'el perfil {profile} ya no existe',
  'the answer contains no secret. Ask the support of the service for the secret, then set BNPL_WEBHOOK_SECRET, or write the secret to a file for --secret-file':
    'la respuesta no contiene un secreto. Pide el secreto al soporte del servicio, y define BNPL_WEBHOOK_SECRET, o escríbelo en un archivo para --secret-file',
  'The secret is stored in profile {profile}, where bnpl webhooks listen reads it.':
    'El secreto está guardado en el perfil {profile}, donde bnpl webhooks listen lo lee.',
  'Secret (shown only once, so keep it): {secret}': 'Secreto (se muestra una sola vez, guárdalo): {secret}',
  'numbers or ids of events, or unique beginnings of ids (default: all unconfirmed events)':
    'números o ids de eventos, o comienzos únicos de ids (por defecto: todos los eventos sin comprobar)',
  'confirm only events received since this date, or within this duration, such as 7d':
    'comprueba solo eventos recibidos desde esta fecha, o en esta duración, como 7d',
  'ids and --since cannot be used together': 'ids y --since no se pueden usar juntos',
  'Name events by id, or choose them with --since.': 'Nombra eventos por su id, o elígelos con --since.',
  'No event is waiting for a confirmation.': 'Ningún evento espera una comprobación.',
  'confirm all events that are not confirmed yet': 'comprobar todos los eventos que aún no se han comprobado',
  'confirm one event before you act on it': 'comprobar un evento antes de actuar',
  'the service has the same values as the event': 'el servicio tiene los mismos valores que el evento',
  'the service has values that differ from the event:': 'el servicio tiene valores distintos a los del evento:',
  'the service has no loan, lead or evaluation for this event':
    'el servicio no tiene un crédito, lead o evaluación para este evento',
  'the event contains no id to ask the service about': 'el evento no contiene un id por el cual preguntar al servicio',
  'not an event': 'no es un evento',
  '{length} of {length2} events could not be confirmed':
    'no se {length:pudo|pudieron} comprobar {length} de {length2} {length2:evento|eventos}',
  'See what the event says: {context}. Do not act on an event that could not be confirmed, because anybody who knows the token may have written it.':
    'Mira lo que dice el evento: {context}. No actúes por un evento que no se pudo comprobar, porque puede haberlo escrito cualquiera que conozca el token.',
  '“{text}” cannot be a destination: {reason}': '«{text}» no puede ser un destino: {reason:text}',
  'it contains a space or a control character': 'contiene un espacio o un carácter de control',
  'it is not an absolute address': 'no es una dirección completa',
  'Write the whole address, such as https://shop.example/webhooks':
    'Escribe la dirección completa, como https://shop.example/webhooks',
  'it must not contain a user name or a password': 'no debe contener usuario ni contraseña',
  'it must begin with https://': 'debe empezar con https://',
  'Use http://127.0.0.1:… only with the sandbox: -p sandbox': 'Usa http://127.0.0.1:… solo con el sandbox: -p sandbox',
  'the address of your receiver is missing': 'falta la dirección de tu receptor',
  'Add the address, such as https://shop.example/webhooks': 'Agrega la dirección, como https://shop.example/webhooks',
  '{message}; checking whether the destination was registered':
    '{message:text}; se revisa si el destino quedó registrado',
  'Start the sandbox with: bnpl sandbox start --allow-http — or leave the registration to the listener: bnpl webhooks listen -p sandbox':
    'Inicia el sandbox con: bnpl sandbox start --allow-http — o deja el registro al receptor: bnpl webhooks listen -p sandbox',
  'Remove a destination: {context} (ids: {context2}). {used}.':
    'Quita un destino: {context} (ids: {context2}). {used:text}.',
  '{used} of {DESTINATION_LIMIT} destinations used': '{used} de {DESTINATION_LIMIT} destinos en uso',
  'No destinations. {used}': 'No hay destinos. {used:text}',
  Scheme: 'Esquema',
  Events: 'Eventos',
  Filters: 'Filtros',
  'list only events received since this date, or within this duration, such as 7d':
    'lista solo eventos recibidos desde esta fecha, o en esta duración, como 7d',
  'list at most this many events': 'lista como máximo esta cantidad de eventos',
  'list only events in this state: {part}': 'lista solo eventos en este estado: {part}',
  'show all data as it was sent, including personal data':
    'muestra todos los datos como se enviaron, también los personales',
  'No event in the inbox matches the given options.': 'Ningún evento de la bandeja coincide con las opciones.',
  'There are no events in the inbox. Receive events with: {context}':
    'No hay eventos en la bandeja. Recibe eventos con: {context}',
  'There may be more events. Use a larger --limit to see them.':
    'Puede haber más eventos. Usa un --limit mayor para verlos.',
  'events of the last 24 hours': 'eventos de las últimas 24 horas',
  'events that a handler did not accept': 'eventos que un manejador no aceptó',
  'Ids with … are shortened. Show one event with its whole id: {context}':
    'Los ids con … están acortados. Muestra un evento con su id completo: {context}',
  Received: 'Recibido',
  '{status} in {ms} ms': '{status} en {ms} ms',
  "an event's number, its id, or a unique beginning of the id":
    'el número de un evento, su id, o un comienzo único del id',
  'write only the body to stdout, byte for byte': 'escribe solo el cuerpo en stdout, byte por byte',
  'the body, byte for byte': 'el cuerpo, byte por byte',
  'Personal data is not shown. Add --reveal to see it.':
    'Los datos personales no se muestran. Agrega --reveal para verlos.',
  'an event by its number in the list': 'un evento por su número en la lista',
  'an event by its id': 'un evento por su id',
  'the raw body, to check a signature': 'el cuerpo sin cambios, para verificar una firma',
  '{receivedAt} at {destination}, {bytes} bytes': '{receivedAt} en {destination}, {bytes} bytes',
  Confirmed: 'Comprobado',
  Handler: 'Manejador',
  '{part}, attempt {attempts}': '{part:text}, intento {attempts}',
  'no answer': 'sin respuesta',
  'Handler’s answer': 'Respuesta del manejador',
  '(--json shows all)': '(--json muestra todo)',
  'Other bodies': 'Otros cuerpos',
  'no. Ask the service: {context}': 'no. Pregunta al servicio: {context}',
  'yes, the service confirmed it at {when}': 'sí, el servicio lo comprobó el {when}',
  'no, at {when} the service did not know this event': 'no, el {when} el servicio no conocía este evento',
  'no, at {when} the service’s values differed from the event: {part}':
    'no, el {when} los valores del servicio diferían del evento: {part}',
  'delete events received before this date, or longer ago than this duration, such as 30d':
    'borra eventos recibidos antes de esta fecha, o hace más que esta duración, como 30d',
  '{pruned} deleted': 'se borró: {pruned:text}',
  'Events that wait to be printed or forwarded, and events that are set aside, are never deleted. The inbox still recognizes the ids of deleted events, so that no event is accepted twice.':
    'Los eventos que esperan ser impresos o reenviados, y los apartados, nunca se borran. La bandeja sigue reconociendo los ids de eventos borrados, así que ningún evento se acepta dos veces.',
  'once a day, from cron': 'una vez al día, desde cron',
  'list received events, the newest first': 'lista los eventos recibidos, los más recientes primero',
  'show one event, without its personal data': 'muestra un evento, sin sus datos personales',
  'ask the service whether the events are true': 'pregunta al servicio si los eventos son ciertos',
  'forward events to a handler again': 'reenvía eventos a un manejador otra vez',
  'delete old events': 'borra eventos antiguos',
  'after you fixed the handler': 'después de corregir el manejador',
  'use this PostgreSQL database, postgres://user@host/name, instead of a file (default: BNPL_DATABASE, then the profile’s database)':
    'usa esta base de datos PostgreSQL, postgres://user@host/name, en vez de un archivo (por defecto: BNPL_DATABASE, luego la base de datos del perfil)',
  'read the password of the database from this file (default: BNPL_DATABASE_PASSWORD, then PGPASSWORD)':
    'lee la contraseña de la base de datos de este archivo (por defecto: BNPL_DATABASE_PASSWORD, luego PGPASSWORD)',
  '--database-password-file needs a database': '--database-password-file necesita una base de datos',
  'Add --database postgres://user@host/name.': 'Agrega --database postgres://user@host/name.',
  'profile {name}': 'perfil {name}',
  'the password file {path}': 'el archivo de la contraseña {path}',
  'the password file {path} cannot be read: {error}':
    'no se puede leer el archivo de la contraseña {path}: {error:text}',
  'Check the path and the permissions of this file.': 'Revisa la ruta y los permisos de este archivo.',
  'the first line of the password file {path} is empty':
    'la primera línea del archivo de la contraseña {path} está vacía',
  'Put the password on the first line of the file.': 'Pon la contraseña en la primera línea del archivo.',
  'forward events of the sandbox to a handler; the secret is shown at the start':
    'reenviar eventos del sandbox a un manejador; el secreto se muestra al inicio',
  'verify and store events, then forward them to a handler on this machine':
    'verificar y guardar eventos, y reenviarlos a un manejador de este equipo',
  'behind a tunnel: register its address, and remove it when the listener stops':
    'detrás de un túnel: registrar su dirección, y quitarla al terminar',
  'in a test: one event, as a line of JSON': 'en una prueba: un evento, como línea JSON',
  '--print-secret works only with the sandbox': '--print-secret funciona solo con el sandbox',
  'Add -p sandbox.': 'Agrega -p sandbox.',
  'a service cannot use {unfit}': 'un servicio no puede usar {unfit}',
  'Remove {unfit}.': 'Quita {unfit}.',
  '--print-unit needs --secret-file, because a service has no access to the profiles of a user':
    '--print-unit necesita --secret-file, porque un servicio no tiene acceso a los perfiles de un usuario',
  'Write the secret to a file that only root can read, such as /etc/bnpl/webhook-secret, and name it with --secret-file.':
    'Escribe el secreto en un archivo que solo root pueda leer, como /etc/bnpl/webhook-secret, y nómbralo con --secret-file.',
  'To use this unit, write it to /etc/systemd/system/bnpl-receiver.service, and run as root: systemctl enable --now bnpl-receiver':
    'Para usar esta unidad, escríbela en /etc/systemd/system/bnpl-receiver.service, y ejecuta como root: systemctl enable --now bnpl-receiver',
  'the sandbox': 'el sandbox',
  'a real account': 'una cuenta real',
  'or more': 'o más',
  'Or use another database for this listener.': 'O usa otra base de datos para este receptor.',
  'Or use another folder for this listener, and start it again: {part}':
    'O usa otra carpeta para este receptor, e inícialo otra vez: {part}',
  'this inbox still has {count} of {kind} that {verb} to be {work}, and this listener is for {kind2}':
    'en esta bandeja quedan todavía {count} de {kind:text} por {work:text}, y este receptor es para {kind2:text}',
  'Finish these events with a listener for {kind}, and stop it afterwards: {finish}':
    'Termina esos eventos con un receptor para {kind:text}, y detenlo después: {finish}',
  'port to listen on; 0 for any free port': 'puerto en que escucha; 0: cualquier puerto libre',
  'how the receiver verifies deliveries: {SCHEMES} (default: hmac; in the sandbox the scheme of the account)':
    'cómo verifica el receptor las entregas: {SCHEMES:list} (por defecto: hmac; en el sandbox, el esquema de la cuenta)',
  'path of the destination (default: the path of --public-url, otherwise /webhooks)':
    'ruta del destino (por defecto: la ruta de --public-url, si no /webhooks)',
  'forward events to this address, in order; an event is sent again until the handler answers 2xx, or until the event is set aside (see --forward-attempts)':
    'reenvía los eventos a esta dirección, en orden; un evento se envía otra vez hasta que el manejador responda 2xx, o hasta que se aparte (ver --forward-attempts)',
  'set an event aside (stop forwarding it) after this many failed attempts. An attempt counts if the handler refuses the event, or receives it and does not answer. It does not count if the handler cannot be reached, or answers 429, 502, 503 or 504':
    'aparta un evento (deja de reenviarlo) después de esta cantidad de intentos fallidos. Un intento cuenta si el manejador rechaza el evento, o lo recibe y no responde. No cuenta si no hay conexión con el manejador, o responde 429, 502, 503 o 504',
  'register this address while the listener runs, and remove it when the listener ends':
    'registra esta dirección mientras el receptor está en marcha, y la quita cuando termina',
  'also accept deliveries to these host names, such as the name of a proxy or a tunnel':
    'acepta también entregas a estos nombres de host, como el de un proxy o un túnel',
  'print the secret with which your handler can verify deliveries of the sandbox, then exit (for a real-estate account: its webhook token)':
    'imprime el secreto con el que tu manejador puede verificar entregas del sandbox, y termina (para una cuenta inmobiliaria: su token de webhooks)',
  'print a systemd unit that runs this listener on this machine with the given options, then exit; needs --secret-file':
    'imprime una unidad de systemd que ejecuta este receptor en este equipo con las opciones dadas, y termina; necesita --secret-file',
  'end after this many events': 'termina después de esta cantidad de eventos',
  'write a JSON line to this file after a test delivery to the listener has succeeded':
    'escribe una línea JSON en este archivo después de una entrega de prueba exitosa al receptor',
  'write no events to stdout (events contain personal data)':
    'no escribe eventos en stdout (los eventos contienen datos personales)',
  'serve /metrics, /readyz and /healthz on this port, separate from deliveries':
    'publica /metrics, /readyz y /healthz en este puerto, aparte de las entregas',
  'interface to listen on for --metrics-port (default: 127.0.0.1)':
    'interfaz en que escucha para --metrics-port (por defecto: 127.0.0.1)',
  '--dry-run shows requests to the service, but `bnpl webhooks listen` receives deliveries; nothing was started':
    '--dry-run muestra llamadas al servicio, pero `bnpl webhooks listen` recibe entregas; no se inició nada',
  '`bnpl webhooks listen` cannot write CSV': '`bnpl webhooks listen` no puede escribir CSV',
  'Write the host name without scheme, port and path, such as shop.example':
    'Escribe el nombre de host sin esquema, puerto ni ruta, como shop.example',
  '--metrics-host needs --metrics-port': '--metrics-host necesita --metrics-port',
  'Add --metrics-port N.': 'Agrega --metrics-port N.',
  'Write a path such as /webhooks.': 'Escribe una ruta como /webhooks.',
  'No answer arrived, but {publicUrl} may have been registered. {context}':
    'No llegó respuesta, pero {publicUrl} puede haber quedado registrada. {context:text}',
  'no secret is set, and the service sent no secret for this destination; without a secret anybody could send events':
    'no hay un secreto definido, y el servicio no envió un secreto para este destino; sin un secreto, cualquiera podría enviar eventos',
  'Set BNPL_WEBHOOK_SECRET, or give --secret-file or --secret-stdin. If the destination existed before, its secret is not shown again. To get a new secret, remove the destination with {context}, then start the listener again':
    'Define BNPL_WEBHOOK_SECRET, o usa --secret-file o --secret-stdin. Si el destino existía antes, su secreto no se muestra otra vez. Para un secreto nuevo, quita el destino con {context}, e inicia el receptor otra vez',
  'An earlier listener left this destination behind. This listener uses the destination and removes it at the end.':
    'Un receptor anterior dejó este destino. Este receptor lo usa y lo quita al final.',
  'This address is already registered. The listener uses that destination and does not remove it at the end.':
    'Esta dirección ya está registrada. El receptor usa ese destino y no lo quita al final.',
  'An earlier listener left this destination behind, and its secret is lost. Registering it again.':
    'Un receptor anterior dejó este destino, y su secreto se perdió. Se registra otra vez.',
  'The destination {url} is registered, but its id could not be read or stored. {context}':
    'El destino {url} está registrado, pero su id no se pudo leer o guardar. {context:text}',
  'The destination was registered, but its secret was lost with the answer. Registering it again.':
    'El destino se registró, pero su secreto se perdió con la respuesta. Se registra otra vez.',
  'The destination {url} could not be removed and is still registered. {context}':
    'El destino {url} no se pudo quitar y sigue registrado. {context:text}',
  'the answer to the registration has no id, and the list does not contain the address':
    'la respuesta al registro no tiene id, y la lista no contiene la dirección',
  'Start the listener again. If the answer is the same, ask the support of the service.':
    'Inicia el receptor otra vez. Si la respuesta es la misma, pregunta al soporte del servicio.',
  'Remove the destination with: {part}': 'Quita el destino con: {part}',
  'Removed the destination {url}.': 'Se quitó el destino {url}.',
  'The destination {url} no longer exists. It was probably removed before this listener ended.':
    'El destino {url} ya no existe. Probablemente se quitó antes de que este receptor terminara.',
  'no answer within {REMOVE_MS} ms': 'sin respuesta en {REMOVE_MS} ms',
  'The destination {url} could not be removed ({why}). {context}':
    'El destino {url} no se pudo quitar ({why:text}). {context:text}',
  'Registered {address} in the sandbox, until this listener ends.':
    'Se registró {address} en el sandbox, hasta que este receptor termine.',
  'Webhook token: {token} (the listener verifies deliveries with it, and does not forward it)':
    'Token de webhooks: {token} (el receptor verifica las entregas con él, y no lo reenvía)',
  'A handler cannot verify these events, because they have no signature. To ask the service about them: {context}':
    'Un manejador no puede verificar estos eventos, porque no tienen firma. Para preguntar al servicio por ellos: {context}',
  'Raise the limit of open connections with: ulimit -n 4096. This process can have at most {limit} connections open at once. Further connections are reset, and a new_lead in one of them is lost.':
    'Sube el límite de conexiones abiertas con: ulimit -n 4096. Este proceso puede tener como máximo {limit} conexiones abiertas a la vez. Las demás se cortan, y un new_lead en una de ellas se pierde.',
  'events are sent to {hostname} over plain http, including the personal data in them':
    'los eventos se envían a {hostname} por http sin cifrar, con los datos personales que contienen',
  'a webhook secret contains a space; if it is a list of several secrets, write each secret on its own line':
    'un secreto de webhooks contiene un espacio; si es una lista de varios secretos, escribe cada uno en su propia línea',
  'webhook token': 'token de webhooks',
  'The webhook secrets have changed: {part} valid now.':
    'Los secretos de webhooks cambiaron: {part:text} válidos ahora.',
  'The webhook secret can be read again.': 'El secreto de webhooks se puede leer otra vez.',
  '{why}; until this is corrected, the secrets that were read last stay valid':
    '{why:text}; hasta que se corrija, siguen válidos los últimos secretos leídos',
  'the secret file {path}': 'el archivo del secreto {path}',
  '{source} no longer exists': '{source:text} ya no existe',
  'the webhook secret from {source}': 'el secreto de webhooks ({source:text})',
  'the path is not {path}': 'la ruta no es {path}',
  'the method is not POST': 'el método no es POST',
  'the request arrived too slowly': 'la solicitud llegó demasiado lento',
  'the body is larger than 1 MiB': 'el cuerpo es mayor que 1 MiB',
  'the body is compressed (Content-Encoding)': 'el cuerpo está comprimido (Content-Encoding)',
  'the Host is not a name of this listener. Add the name with --public-host NAME':
    'el Host no es un nombre de este receptor. Agrega el nombre con --public-host NAME',
  'too many deliveries are being received at once': 'se reciben demasiadas entregas a la vez',
  'refused a delivery from {from} with 401: {why}': 'se rechazó una entrega de {from} con 401: {why:text}',
  'the request is not a delivery of an event': 'la solicitud no es una entrega de un evento',
  'refused {status}': 'rechazada {status}',
  'refused a request from {from} with {status}: {why}': 'se rechazó una solicitud de {from} con {status}: {why:text}',
  'not stored': 'no guardada',
  'the inbox cannot be written, so deliveries are NOT STORED and not acknowledged (503): {message}':
    'no se puede escribir en la bandeja, así que las entregas NO SE GUARDAN y no se confirman (503): {message:text}',
  'not read': 'no leído',
  'stored events cannot be read, so they are not printed or forwarded yet: {message}. bnpl tries again each second':
    'no se pueden leer los eventos guardados, así que todavía no se imprimen ni se reenvían: {message:text}. bnpl lo intenta otra vez cada segundo',
  '{id} is set aside after {attempts} ({error}). Forward the event again with: {again}':
    '{id} quedó apartado después de {attempts:text} ({error:text}). Reenvía el evento otra vez con: {again}',
  'the handler {forwardTo} is not available ({error}): {id} and the later events will be forwarded in order when the handler is available':
    'el manejador {forwardTo} no está disponible ({error:text}): {id} y los eventos siguientes se reenviarán en orden cuando lo esté',
  'the handler {forwardTo} is not available since {since} ({error}): {waiting} will be forwarded in order when the handler is available':
    'el manejador {forwardTo} no está disponible desde {since} ({error:text}). Cuando lo esté, se reenvía en orden: {waiting:text}',
  'the handler {forwardTo} is available again': 'el manejador {forwardTo} está disponible otra vez',
  'refused by the handler': 'rechazado por el manejador',
  'the handler did not accept {id}: {error} (attempt {attempts} of {forwardAttempts}); trying again':
    'el manejador no aceptó {id}: {error:text} (intento {attempts} de {forwardAttempts}); se intenta otra vez',
  '{eventId} arrived again with another body; this delivery is stored but not forwarded ({shown})':
    '{eventId} llegó otra vez con otro cuerpo; esta entrega se guarda pero no se reenvía ({shown})',
  'a verified delivery is not an event ({odd}), so it is kept in quarantine ({shown})':
    'una entrega verificada no es un evento ({odd:text}), así que queda en cuarentena ({shown})',
  '{text} (and {left} more like it)': '{text:text} (y {left} más como esta)',
  'waiting for its turn': 'espera su turno',
  'Transaction or lead': 'Transacción o lead',
  '… and {unseen} more wait to be forwarded': '… y {unseen} más por reenviar',
  ', attempt {attempts}': ', intento {attempts}',
  '{status} in {ms} ms{tries}': '{status} en {ms} ms{tries:text}',
  'set aside: {error}': 'apartado: {error:text}',
  '{waiting} waiting from an earlier run; add --forward-to URL to forward them':
    'de una ejecución anterior quedan {waiting:text}; agrega --forward-to URL para el reenvío',
  'no connection': 'sin conexión',
  'not reachable ({status})': 'no disponible ({status})',
  '{answer}, again in {waitMs}': '{answer:text}, otra vez en {waitMs}',
  '{answer}, waiting': '{answer:text}, en espera',
  '{received} received': '{received} {received:recibido|recibidos}',
  '{again} received again': '{again} {again:recibido|recibidos} otra vez',
  '{delivered} forwarded': '{delivered} {delivered:reenviado|reenviados}',
  '{dead} set aside': '{dead} {dead:apartado|apartados}',
  'received again, not forwarded': 'recibido otra vez, no reenviado',
  'same id, another body': 'mismo id, otro cuerpo',
  'not an event, quarantined': 'no es un evento, en cuarentena',
  '{count} event{part}': '{count} {count:evento|eventos}',
  Time: 'Hora',
  Stored: 'Guardado',
  'Metrics are at {metricsUrl}, readiness at /readyz on the same port.':
    'Las métricas están en {metricsUrl}, la disponibilidad en /readyz del mismo puerto.',
  '--public-url cannot be used with a shared inbox: the address would be removed when this receiver stops, while other receivers still need it':
    '--public-url no se puede usar con una bandeja compartida: la dirección se quitaría cuando este receptor termina, mientras otros receptores todavía la necesitan',
  'Register the address once, for all receivers: {context}':
    'Registra la dirección una vez, para todos los receptores: {context}',
  'Listening on {address} ({scheme}). A test delivery has succeeded. Ctrl-C ends the listener.':
    'Recibiendo en {address} ({scheme}). La entrega de prueba fue exitosa. Ctrl-C termina el receptor.',
  '{waiting} waiting to be forwarded. Forwarding continues when a listener runs with --forward-to.':
    'Por reenviar: {waiting:text}. El reenvío sigue cuando hay un receptor en marcha con --forward-to.',
  'events are printed again, and none is missing on stdout':
    'los eventos se imprimen otra vez, y no falta ninguno en stdout',
  'events cannot be printed ({error}). They are still stored, acknowledged and forwarded. bnpl tries to print them every {part} s':
    'los eventos no se pueden imprimir ({error:text}). Se siguen guardando, confirmando y reenviando. bnpl intenta imprimirlos cada {part} s',
  '{waiting} waiting from an earlier run. Add --forward-to URL to forward them.':
    'Quedan por reenviar, de una ejecución anterior: {waiting:text}. Para reenviar, agrega --forward-to URL.',
  '{waiting} waiting from an earlier run and will be forwarded first.':
    'Quedan de una ejecución anterior, y se reenvían primero: {waiting:text}.',
  'numbers or ids of events, or unique beginnings of ids': 'números o ids de eventos, o comienzos únicos de ids',
  'address of the handler to which the events are forwarded': 'dirección del manejador al que se reenvían los eventos',
  'replay all events that were set aside, the oldest first':
    'repite todos los eventos apartados, el más antiguo primero',
  '--dry-run shows requests to the service, but a replay sends only to a handler; nothing was sent':
    '--dry-run muestra llamadas al servicio, pero una repetición envía solo a un manejador; no se envió nada',
  'the address of a handler is missing': 'falta la dirección de un manejador',
  'Add the address: {context}': 'Agrega la dirección: {context}',
  'either the ids of events or --set-aside is needed, not both': 'hacen falta ids de eventos o --set-aside, no ambos',
  'Run the command with one of them, such as: {context}': 'Ejecuta el comando con uno de ellos, como: {context}',
  'There are no set-aside events, so nothing was replayed.': 'No hay eventos apartados, así que no se repitió nada.',
  'the handler did not accept {length} of {length2} events':
    'el manejador no aceptó {length} de {length2} {length2:evento|eventos}',
  'Run the command again. It replays only the events that are still set aside.':
    'Ejecuta el comando otra vez. Repite solo los eventos que siguen apartados.',
  'Replay these events again. The result shows the error of each.':
    'Repite estos eventos otra vez. El resultado muestra el error de cada uno.',
  'the handler did not accept {part}: {error}': 'el manejador no aceptó {part:text}: {error:text}',
  'the event': 'el evento',
  'any of the {length} events': 'ninguno de los {length} eventos',
  'the {length} events': 'los {length} eventos',
  'the handler did not answer, but it may have accepted {part}: {error}':
    'el manejador no respondió, pero puede haber aceptado {part:text}: {error:text}',
  events: 'eventos',
  'the handler did not get {those}: {error}': 'el manejador no recibió {those:text}: {error:text}',
  'Replay {those} again. This is safe if the handler processes each eventId only once.':
    'Repite {those:text} otra vez. Es seguro si el manejador procesa cada eventId una sola vez.',
  'Start the handler, or check the address in --forward-to. Then replay {those} again.':
    'Inicia el manejador, o revisa la dirección de --forward-to. Luego repite {those:text} otra vez.',
  'ids of destinations': 'ids de destinos',
  'delete every destination at this address; repeatable':
    'borra todos los destinos de esta dirección; se puede repetir',
  'succeed if a destination does not exist': 'termina bien si un destino no existe',
  'no destination is named': 'no se nombró ningún destino',
  'Give the id of a destination, or its address with --url. List the destinations with: {context}':
    'Indica el id de un destino, o su dirección con --url. Mira los destinos con: {context}',
  'There was no destination to delete.': 'No había destinos que borrar.',
  'The account can now register {part} instead.': 'La cuenta puede registrar ahora {part:text}.',
  'another destination': 'otro destino',
  'other destinations': 'otros destinos',
  'every destination at an address': 'todos los destinos de una dirección',
  'in a script that may run twice': 'en un script que puede ejecutarse dos veces',
  'delete the webhook destination {part}': 'borrar el destino de webhooks {part}',
  'delete {length} webhook destinations: {part}': 'borrar {length} destinos de webhooks: {part}',
  'no destination has the address {url}': 'ningún destino tiene la dirección {url}',
  'List the destinations with: {context}': 'Mira los destinos con: {context}',
  'Write an address such as http://127.0.0.1:3000/hook, without user name and password.':
    'Escribe una dirección como http://127.0.0.1:3000/hook, sin usuario ni contraseña.',
  '{option} “{text}” is not a valid address for deliveries: {reason}':
    '{option} «{text}» no es una dirección válida para entregas: {reason:text}',
  'it is not an absolute address such as https://shop.example/webhooks':
    'no es una dirección completa como https://shop.example/webhooks',
  'destinations must be https; http is only for this machine (loopback)':
    'los destinos deben ser https; http es solo para este equipo',
  'read the secret from a file (during a rotation: several secrets, one on each line)':
    'lee el secreto de un archivo (durante un cambio: varios secretos, uno por línea)',
  'read the secret from stdin': 'lee el secreto de stdin',
  'algorithm of the signature: one of {part} (default: from the profile, then sha256)':
    'algoritmo de la firma: uno de {part} (por defecto: del perfil, luego sha256)',
  'encoding of the signature: {part} (default: from the profile, then hex)':
    'codificación de la firma: {part:list} (por defecto: del perfil, luego hex)',
  '--secret-file and --secret-stdin cannot be used together': '--secret-file y --secret-stdin no se pueden usar juntas',
  'file {secretFile}': 'archivo {secretFile}',
  'the secret on stdin': 'el secreto de stdin',
  'without a secret anybody could send events': 'sin un secreto, cualquiera podría enviar eventos',
  'no webhook secret is set, and {why}': 'no hay un secreto de webhooks definido, y {why:text}',
  'Set BNPL_WEBHOOK_SECRET, give --secret-file or --secret-stdin, or store the secret in the profile: {context}. To try the command on your machine, add -p sandbox, which has its own secret.':
    'Define BNPL_WEBHOOK_SECRET, usa --secret-file o --secret-stdin, o guarda el secreto en el perfil: {context}. Para probar el comando en tu equipo, agrega -p sandbox, que tiene su propio secreto.',
  'Signing secret': 'Secreto de firma',
  'Webhook token': 'Token de webhooks',
  '{name}: {part} (set BNPL_WEBHOOK_SECRET to this {word} in your handler)':
    '{name:text}: {part} (define BNPL_WEBHOOK_SECRET con este {word:text} en tu manejador)',
  'the secret file {path} is not a regular file': 'el archivo del secreto {path} no es un archivo normal',
  'the secret file {path} cannot be read: {error}': 'no se puede leer el archivo del secreto {path}: {error:text}',
  '“{named}” is not a signature algorithm': '«{named}» no es un algoritmo de firma',
  '“{written}” is not a signature encoding': '«{written}» no es una codificación de firma',
  'the setting {name} is not valid: {problem}': 'la configuración {name} no es válida: {problem:text}',
  'Correct the setting: bnpl profiles set {name} VALUE': 'Corrige la configuración: bnpl profiles set {name} VALUE',
  '{source} cannot be used as a secret: it {reason}': '{source:text} no se puede usar como secreto: {reason:text}',
  '{source} cannot be used: number {part} of its {length} secrets {reason}':
    '{source:text} no se puede usar: el número {part} de sus {length} secretos {reason:text}',
  'Copy only the secret itself, without quotes.': 'Copia solo el secreto, sin comillas.',
  'the webhook secret from {source} is empty': 'el secreto de webhooks ({source:text}) está vacío',
  'the webhook token contains a character that is not allowed in a header':
    'el token de webhooks contiene un carácter que no se permite en un encabezado',
  'Copy the token again.': 'Copia el token otra vez.',
  '{id} is not in this inbox': '{id} no está en esta bandeja',
  'See the received events: {context}': 'Mira los eventos recibidos: {context}',
  'the event {id} is no longer in the inbox; the inbox contains only later deliveries with the same id but another body':
    'el evento {id} ya no está en la bandeja; quedan solo entregas posteriores con el mismo id y otro cuerpo',
  'several events have the id {id}, received at {places}':
    'varios eventos tienen el id {id}, recibidos en {places:list}',
  'several events have an id that matches {part}': 'varios eventos tienen un id que coincide con {part}',
  '. See their numbers: {context}': '. Mira sus números: {context}',
  'Name one event by its number: {numbers}{more}': 'Nombra un evento por su número: {numbers}{more:text}',
  'address of your receiver': 'dirección de tu receptor',
  'how your receiver verifies deliveries: {SCHEMES}': 'cómo verifica tu receptor las entregas: {SCHEMES:list}',
  'also write the checks as a JUnit report': 'escribe además las verificaciones como reporte JUnit',
  '--dry-run prints one request, but this test would send many; nothing was sent':
    '--dry-run imprime una llamada, pero esta prueba enviaría muchas; no se envió nada',
  'a receiver on this machine, with the secret of the sandbox':
    'un receptor de este equipo, con el secreto del sandbox',
  'a public receiver, before you register it': 'un receptor público, antes de registrarlo',
  'without a secret your receiver cannot verify the deliveries':
    'sin un secreto, tu receptor no puede verificar las entregas',
  'print only the deliveries of this scheme: {SCHEMES} (default: both)':
    'imprime solo las entregas de este esquema: {SCHEMES:list} (por defecto: ambos)',
  'Use --json to get the headers, the bodies and the secret.':
    'Usa --json para obtener los encabezados, los cuerpos y el secreto.',
  'save the deliveries for the tests of your handler': 'guardar las entregas para las pruebas de tu manejador',
  'only the deliveries of a real-estate destination': 'solo las entregas de un destino inmobiliario',
  Delivery: 'Entrega',
  'Must be': 'Debe ser',
  'event to send: {EVENT_NAMES}': 'evento que se envía: {EVENT_NAMES}',
  'address of the receiver': 'dirección del receptor',
  'change a field of the data, such as loanAmount=1000; repeatable. If the value has another type than the field, the command prints a note and sends the value':
    'cambia un campo de los datos, como loanAmount=1000; se puede repetir. Si el valor tiene otro tipo que el campo, el comando imprime una nota y envía el valor',
  'read the data (or a whole envelope) from this JSON file; `-` for stdin':
    'lee los datos (o el evento completo) de este archivo JSON; `-` para stdin',
  'eventId of the event (default: a new id)': 'eventId del evento (por defecto: un id nuevo)',
  'without a secret the receiver cannot verify the event': 'sin un secreto, el receptor no puede verificar el evento',
  '{signer}. The secret came from {source}': '{signer:text}. Origen del secreto: {source:text}',
  'send the event of a payment to a handler on this machine':
    'enviar el evento de un pago a un manejador de este equipo',
  'a lead with your own field values': 'un lead con tus propios valores',
  'The field {path} is normally {was}, but this event contains {is}.':
    'El campo {path} normalmente es {was:text}, pero este evento contiene {is:text}.',
  'it has the field data twice': 'tiene el campo data dos veces',
  '{part} does not contain an event: {reason}': '{part} no contiene un evento: {reason:text}',
  '{event} {eventId} was sent to {host} but not answered: {what}; the receiver may have accepted it':
    '{event} {eventId} se envió a {host} pero no hubo respuesta: {what:text}; el receptor puede haberlo aceptado',
  '{event} {eventId} could not be delivered to {host}: {what}':
    '{event} {eventId} no se pudo entregar a {host}: {what:text}',
  'Add {part} when you repeat the command, so that the receiver processes the event only once. Without --file, the repeated event has other data.':
    'Agrega {part} cuando repitas el comando, para que el receptor procese el evento una sola vez. Sin --file, el evento repetido tiene otros datos.',
  'Check that the receiver is running, then repeat this command. Nothing was sent.':
    'Revisa que el receptor esté en marcha, y repite este comando. No se envió nada.',
  '{event} {eventId}: {status} in {ms} ms': '{event} {eventId}: {status} en {ms} ms',
  'the service waits {part} s for the answer to a new_lead and never repeats the delivery, but this receiver took longer':
    'el servicio espera {part} s la respuesta a un new_lead y nunca repite la entrega, pero este receptor tardó más',
  ': a redirect, which the service does not follow': ': una redirección, que el servicio no sigue',
  'the receiver answered {status}{redirect}': 'el receptor respondió {status}{redirect:text}',
  'Check how the receiver verifies deliveries. This {event} was sent with {proof}. To send the event with another secret, add --secret-file FILE or set BNPL_WEBHOOK_SECRET.{part}':
    'Revisa cómo verifica tu receptor las entregas. Este {event} se envió con {proof:text}. Para enviarlo con otro secreto, agrega --secret-file FILE o define BNPL_WEBHOOK_SECRET.{part:text}',
  'Look for the event {eventId} in the log of the receiver.': 'Busca el evento {eventId} en el registro del receptor.',
  'Write the option as --set path=value, for example --set loanAmount=1000.':
    'Escribe la opción como --set path=value, por ejemplo --set loanAmount=1000.',
  '--dry-run shows the whole event.': '--dry-run muestra el evento completo.',
  'Remove --set, because the data of this event has no fields.':
    'Quita --set, porque los datos de este evento no tienen campos.',
  'Use a field such as {part}.{all}': 'Usa un campo como {part}.{all:text}',
  'a list': 'una lista',
  'an object': 'un objeto',
  'true or false': 'true o false',
  'a number': 'un número',
  'the raw body as it was received; `-` for stdin': 'el cuerpo sin cambios, como se recibió; `-` para stdin',
  'the value of the signature header': 'el valor del encabezado de la firma',
  'the body and the secret cannot both be read from stdin': 'el cuerpo y el secreto no se pueden leer ambos de stdin',
  'Give the secret with --secret-file.': 'Da el secreto con --secret-file.',
  'without a secret the signature cannot be checked': 'sin un secreto no se puede verificar la firma',
  'the signature is not valid for this body': 'la firma no es válida para este cuerpo',
  'check a delivery that was refused': 'revisar una entrega que fue rechazada',
  'read the secret from a vault': 'leer el secreto de una bóveda',
  '{lost}. Save the raw bytes of the delivery, without converting them to text.':
    '{lost:text}. Guarda los bytes de la entrega sin cambios, sin convertirlos a texto.',
  Signature: 'Firma',
  Tried: 'Se probó',
  Body: 'Cuerpo',
  '{bodyBytes} bytes': '{bodyBytes} bytes',
  'Needed for a match': 'Hace falta para coincidir',
  'add the option: {setting} {value}': 'agrega la opción: {setting} {value}',
  'Compare the raw body and the secret with those of the sender. The command tried {part} with every algorithm and encoding, and with common changes of the body, such as a line break at its end. No combination gives this signature, so the secret belongs to another destination, or the body differs from the signed body.':
    'Compara el cuerpo y el secreto con los de quien envió. El comando probó {part:text} con todos los algoritmos y codificaciones, y con cambios comunes del cuerpo, como un salto de línea al final. Ninguna combinación da esta firma, así que el secreto es de otro destino, o el cuerpo difiere del firmado.',
  'the secret': 'el secreto',
  'all {secrets} secrets': 'los {secrets} secretos',
  'Verify the raw bytes as they arrive, before anything parses or converts them. The signature matches the body {bodyForm}.':
    'Verifica los bytes como llegan, antes de que algo los interprete o convierta. La firma coincide con el cuerpo {bodyForm:text}.',
  'Store the secret in the form that matches ({secretForm}).':
    'Guarda el secreto en la forma que coincide ({secretForm:text}).',
  'Pass the signature in the form that matches ({signatureForm}).':
    'Pasa la firma en la forma que coincide ({signatureForm:text}).',
  'The signature uses {algorithm}, so {part}': 'La firma usa {algorithm}, así que {part:text}',
  'Replace “-” by “+” and “_” by “/” to get base64. The signature is in base64url, for which no setting exists.':
    'Reemplaza «-» por «+» y «_» por «/» para obtener base64. La firma está en base64url, para lo que no hay configuración.',
  'The signature is in {encoding}, so {part}': 'La firma está en {encoding}, así que {part:text}',
  'The signature belongs to this body, but the setting signatureForm or signatureTolerance refuses it. To see the settings, run: bnpl profiles show':
    'La firma pertenece a este cuerpo, pero la configuración signatureForm o signatureTolerance la rechaza. Para ver la configuración, ejecuta: bnpl profiles show',
  'list the destinations and the events that each of them receives':
    'listar los destinos y los eventos que recibe cada uno',
  'list destinations, and how many of the ten slots are used':
    'lista los destinos, y cuántos de los diez lugares se usan',
  'register a BNPL destination for {events}': 'registra un destino BNPL para {events:list}',
  'register a real-estate destination for {events}': 'registra un destino inmobiliario para {events:list}',
  'delete destinations': 'borra destinos',
  'receive events: verify, store, acknowledge, then forward': 'recibe eventos: verifica, guarda, confirma y reenvía',
  'received events: list, show, confirm, replay, prune':
    'eventos recibidos: listar, mostrar, comprobar, repetir, borrar antiguos',
  'send one well-formed, signed event to a receiver': 'envía a un receptor un evento bien formado y firmado',
  'test your receiver against the specification': 'prueba tu receptor según la especificación',
  'print signed and forged deliveries, for the tests of your handler':
    'imprime entregas firmadas y falsas, para las pruebas de tu manejador',
  'check one signature, and say why it does not match': 'verifica una firma, y dice por qué no coincide',
  'receive, store, and forward to a handler on this machine':
    'recibir, guardar, y reenviar a un manejador de este equipo',
  'try a handler without waiting for a customer': 'probar un manejador sin esperar a un cliente',
  'events received in the last 24 hours': 'eventos recibidos en las últimas 24 horas',
  'register the address to which the service delivers': 'registrar la dirección a la que entrega el servicio',
  's are': 's',
  'Use {SCHEMES}.': 'Usa {SCHEMES:list}.',
  'Write the filters as \'{"outcome":"approved"}\'.': 'Escribe los filtros como \'{"outcome":"approved"}\'.',
  'the service has no such destination': 'el servicio no tiene ese destino',
}
