import type { Catalogue } from '../packing.ts'

export const profiles: Catalogue = {
  'Settings:': 'Configuración:',
  'name of the profile: letters, digits, “.”, “_” and “-”': 'nombre del perfil: letras, dígitos, «.», «_» y «-»',
  'base address of the service': 'dirección base del servicio',
  'address of the hosted payment page': 'dirección de la página de pago',
  'public key for the payment page': 'clave pública para la página de pago',
  'merchant entity id': 'id de entidad del comercio',
  'service: a name (specification, banca.me), or a file that `bnpl contract learn` wrote':
    'servicio: un nombre (specification, banca.me), o un archivo que escribió `bnpl contract learn`',
  'environment of the account (default: beta)': 'ambiente de la cuenta (por defecto: beta)',
  'store the key in the keyring of this system': 'guarda la clave en el llavero de este sistema',
  'replace an existing profile': 'reemplaza un perfil que existe',
  'answer questions on a terminal': 'responder preguntas en un terminal',
  'an account of banca.me': 'una cuenta de banca.me',
  'in a script: the key comes from stdin, not from an argument':
    'en un script: la clave viene de stdin, no de un argumento',
  'The base address is {ownUrl} ({source}). To use another, add --base-url.':
    'La dirección base es {ownUrl} ({source:text}). Para usar otra, agrega --base-url.',
  '{name} is stored in {path}. Other users may be able to read it, because its disk stores no modes.':
    '{name} está guardado en {path}. Tal vez otros usuarios pueden leerlo, porque su disco no guarda modos.',
  '{name} is stored in {path}. To see who can read it: icacls "{path2}"':
    '{name} está guardado en {path}. Para ver quién puede leerlo: icacls "{path2}"',
  '{name} is stored in {path}, readable only by you.': '{name} está guardado en {path}, que solo tú puedes leer.',
  'The key of the profile is in the keyring of this system.': 'La clave del perfil está en el llavero de este sistema.',
  'The profile is now the default.': 'Ahora es el perfil por defecto.',
  'Use the profile with -p {name}, or make it the default: bnpl profiles use {name2}':
    'Usa el perfil con -p {name}, o hazlo el perfil por defecto: bnpl profiles use {name2}',
  'This is a production account, so commands that change something there ask first.':
    'Esta es una cuenta de producción, así que los comandos que cambian algo en ella preguntan primero.',
  'Next: bnpl doctor -p {name}': 'Sigue: bnpl doctor -p {name}',
  'the name of the profile is missing': 'falta el nombre del perfil',
  'Add the name as an argument: bnpl profiles add NAME --base-url https://… --api-key-file F':
    'Agrega el nombre como argumento: bnpl profiles add NAME --base-url https://… --api-key-file F',
  'Name of the profile': 'Nombre del perfil',
  '“{name}” is not a valid profile name: {problem}': '«{name}» no es un nombre válido de perfil: {problem:text}',
  'the profile {name} already exists': 'el perfil {name} ya existe',
  'Add --force to replace the profile, or change one setting: bnpl profiles set SETTING VALUE -p {name}':
    'Agrega --force para reemplazar el perfil, o cambia una configuración: bnpl profiles set SETTING VALUE -p {name}',
  'the address of the service is missing': 'falta la dirección del servicio',
  'Add --base-url https://…': 'Agrega --base-url https://…',
  'Which environment does the account belong to?': '¿De qué ambiente es la cuenta?',
  'for tests, with the test key pair': 'para pruebas, con el par de claves de prueba',
  'for real customers; before a command changes something, bnpl asks':
    'para clientes reales; antes de que un comando cambie algo, bnpl pregunta',
  '{message} (press Enter to skip)': '{message:text} (Enter para omitir)',
  'Base address of the service (https://…)': 'Dirección base del servicio (https://…)',
  'Address of the hosted payment page': 'Dirección de la página de pago',
  'Public key for the payment page': 'Clave pública para la página de pago',
  'Merchant entity id': 'Id de entidad del comercio',
  'name of the setting': 'nombre de la configuración',
  'the new value': 'el valor nuevo',
  'this value is not a valid {name}: {problem}': 'este valor no es válido para {name}: {problem:text}',
  'the argument': 'el argumento',
  'an API key can be given only together with baseUrl': 'una clave de API se puede dar solo junto con baseUrl',
  'To change only the key, run: {context}': 'Para cambiar solo la clave, ejecuta: {context}',
  '{name} of {changed} is set.': '{name} de {changed} está definido.',
  'set the merchant entity of the default profile': 'definir la entidad del perfil por defecto',
  'set another address, with the key for that address': 'definir otra dirección, con la clave para esa dirección',
  '{name} cannot be removed, because every profile needs it':
    '{name} no se puede quitar, porque todo perfil lo necesita',
  'Change it with: {context}': 'Cámbialo con: {context}',
  '{name} of {changed} is removed.': '{name} de {changed} está quitado.',
  'print amounts without a currency sign': 'imprimir los montos sin signo de moneda',
  'the key stored in {name} is for {bound} and would be sent to {origin}':
    'la clave guardada en {name} es para {bound} y se enviaría a {origin}',
  'Add the key for the new address to the same command: --api-key-stdin or --api-key-file F. Nothing was changed.':
    'Agrega la clave de la nueva dirección en el mismo comando: --api-key-stdin o --api-key-file F. No se cambió nada.',
  'a key must not be an argument': 'una clave no debe ser un argumento',
  'Use: {context} (or --api-key-file F)': 'Usa: {context} (o --api-key-file F)',
  'a secret must not be an argument': 'un secreto no debe ser un argumento',
  'Use: {context} (or --secret-file F)': 'Usa: {context} (o --secret-file F)',
  '“{key}” is not a setting of a profile{key2}': '«{key}» no es una configuración de un perfil{key2:text}',
  'the profile (default: the one in use)': 'el perfil (por defecto: el que está en uso)',
  'store the key in the keyring of this system (default: where the old key is stored)':
    'guarda la clave en el llavero de este sistema (por defecto: donde está la anterior)',
  'store the key in the profile file': 'guarda la clave en el archivo de perfiles',
  'The key of {name} is now {apiKey}.': 'La clave de {name} es ahora {apiKey}.',
  'read the new key from a password manager': 'leer la clave nueva de un gestor de contraseñas',
  'webhook secret': 'secreto de webhooks',
  'Deliveries to {name} are accepted if they are signed with {secret} or with an earlier secret of the profile.':
    'Se aceptan entregas a {name} firmadas con {secret} o con un secreto anterior del perfil.',
  'rotate: add the new secret, set it at the service, remove the old secret':
    'cambiar: agregar el secreto, definirlo en el servicio, quitar el anterior',
  'remove the secret with this fingerprint, which `bnpl profiles show` prints (default: the oldest secret)':
    'quita el secreto con esta huella, que imprime `bnpl profiles show` (por defecto: el secreto más antiguo)',
  'Remove the webhook secret {secret} of {name}, and refuse deliveries that are signed with it?':
    '¿Quitar el secreto de webhooks {secret} de {name}, y rechazar las entregas firmadas con él?',
  '{secret} is removed from {name}.': '{secret} está quitado de {name}.',
  'remove the old secret after a rotation': 'quitar el secreto anterior después de un cambio',
  '{name} has no webhook secret': '{name} no tiene un secreto de webhooks',
  'List the profiles: bnpl profiles list': 'Mira los perfiles: bnpl profiles list',
  'the given fingerprint does not identify a webhook secret of {name}':
    'la huella dada no identifica un secreto de webhooks de {name}',
  'Give at least the last 4 characters of a fingerprint that this command prints: bnpl profiles show {name}':
    'Indica al menos los últimos 4 caracteres de una huella que imprime este comando: bnpl profiles show {name}',
  '{name} already has {DESTINATION_LIMIT} webhook secrets, one for each possible destination':
    '{name} ya tiene {DESTINATION_LIMIT} secretos de webhooks, uno por cada destino posible',
  'Remove a secret first: bnpl profiles rm-secret {name}': 'Quita primero un secreto: bnpl profiles rm-secret {name}',
  'no list of webhook destinations': 'ninguna lista de destinos de webhooks',
  'webhook destination': 'destino de webhooks',
  'accepted ({found} found)': 'aceptada ({found:text})',
  'refused: {answer}': 'rechazada: {answer:text}',
  'not checked, because the answer ({status}) is not one of the service':
    'sin verificar, porque la respuesta ({status}) no es del servicio',
  'Compare the base address with the one that the service gave you.':
    'Compara la dirección base con la que te dio el servicio.',
  'not checked, because the service answered {answer} when bnpl asked for the webhook destinations':
    'sin verificar, porque el servicio respondió {answer:text} cuando bnpl pidió los destinos de webhooks',
  'Find out what the service answers to every call: {part}': 'Averigua qué responde el servicio a cada llamada: {part}',
  'do not try the key with a read request before it replaces the earlier one':
    'no prueba la clave con una lectura antes de reemplazar la anterior',
  'Store another key: bnpl profiles set-key {name}': 'Guarda otra clave: bnpl profiles set-key {name}',
  'The key is {detail}.': 'La clave está {detail:text}.',
  'The key: {detail}. {part}': 'La clave: {detail:text}. {part:text}',
  'The key could not be checked: {message}. Run: {part}':
    'No se pudo verificar la clave: {message:text}. Ejecuta: {part}',
  'The key could not be checked: {message}': 'No se pudo verificar la clave: {message:text}',
  'The service accepted the key ({found} found).': 'El servicio aceptó la clave ({found:text}).',
  '{host} refused the {part}key ({part2}), so {name} is unchanged':
    '{host} rechazó la clave ({part2}), así que {name} no cambió',
  'new': 'nueva',
  'the key could not be tried at {host}, so {name} is unchanged: {message}':
    'no se pudo probar la clave en {host}, así que {name} no cambió: {message:text}',
  'Check that the key belongs to this service and environment. To store it all the same, add --no-check.':
    'Revisa que la clave sea de este servicio y ambiente. Para guardarla de todos modos, agrega --no-check.',
  'Run the command again when the service answers. To store the value without trying it, add --no-check.':
    'Ejecuta el comando otra vez cuando el servicio responda. Para guardar el valor sin probarlo, agrega --no-check.',
  'Checking the key with a read request …': 'Verificando la clave con una lectura …',
  'list every profile, with a mark at the default one':
    'lista todos los perfiles, con una marca en el perfil por defecto',
  'add an account, with options or with questions on a terminal':
    'agrega una cuenta, con opciones o con preguntas en un terminal',
  'make a profile the default': 'elige el perfil por defecto',
  'show every setting in use, and where it comes from': 'muestra toda la configuración en uso, y de dónde viene',
  'change a setting': 'cambia una configuración',
  'remove a setting': 'quita una configuración',
  'replace the API key': 'reemplaza la clave de API',
  'add a webhook secret; the earlier secrets stay valid':
    'agrega un secreto de webhooks; los anteriores siguen válidos',
  'remove a webhook secret (default: the oldest one)': 'quita un secreto de webhooks (por defecto: el más antiguo)',
  'remove a profile and its key': 'quita un perfil y su clave',
  'add an account, answering questions': 'agregar una cuenta, respondiendo preguntas',
  'show the settings in use and their sources': 'mostrar la configuración en uso y sus fuentes',
  'make another account the default': 'elegir otra cuenta como perfil por defecto',
  Name: 'Nombre',
  Environment: 'Ambiente',
  'Base address': 'Dirección base',
  'on this machine': 'en este equipo',
  Key: 'Clave',
  'More sandbox accounts: {part}': 'Más cuentas del sandbox: {part}',
  'BNPL_API_KEY and BNPL_BASE_URL are set, so commands without -p use these variables instead of a profile.':
    'BNPL_API_KEY y BNPL_BASE_URL están definidas, así que los comandos sin -p usan estas variables en vez de un perfil.',
  'BNPL_PROFILE is set, so commands without -p use the profile {BNPL_PROFILE}.':
    'BNPL_PROFILE está definida, así que los comandos sin -p usan el perfil {BNPL_PROFILE}.',
  'No profile is the default. Choose one: bnpl profiles use NAME':
    'Ningún perfil es el perfil por defecto. Elige uno: bnpl profiles use NAME',
  'Add your account: bnpl profiles add NAME': 'Agrega tu cuenta: bnpl profiles add NAME',
  'every profile, keys masked': 'todos los perfiles, con las claves enmascaradas',
  'only the names, for a script': 'solo los nombres, para un script',
  'a profile, or sandbox (default: the one in use)': 'un perfil, o sandbox (por defecto: el que está en uso)',
  Setting: 'Configuración',
  From: 'Viene de',
  Value: 'Valor',
  'the settings in use, and their sources': 'la configuración en uso, y sus fuentes',
  'see the source of the key': 'ver de dónde viene la clave',
  'the profile, or sandbox': 'el perfil, o sandbox',
  '{name} is now the default profile.': '{name} es ahora el perfil por defecto.',
  'BNPL_PROFILE is set to {variable} and overrides the default.':
    'BNPL_PROFILE está definida como {variable} y tiene prioridad sobre el perfil por defecto.',
  'make a profile the default, so that -p is not needed': 'elegir el perfil por defecto, para no necesitar -p',
  'practise on the sandbox of this machine': 'practicar en el sandbox de este equipo',
  'name of the profile': 'nombre del perfil',
  'succeed if the profile does not exist': 'termina bien si el perfil no existe',
  'There is no profile {name} on this machine.': 'No hay un perfil {name} en este equipo.',
  'Remove the profile {name} with its key from this machine?': '¿Quitar el perfil {name} con su clave de este equipo?',
  '{name} is removed.{part}': '{name} está quitado.{part:text}',
  'It was the default. Choose another default: bnpl profiles use NAME':
    'Era el perfil por defecto. Elige otro: bnpl profiles use NAME',
  'remove a profile without being asked': 'quitar un perfil sin preguntas',
  'the command': 'el comando',
  'no profile is named, and no default is set': 'no se nombró un perfil, y ninguno es el perfil por defecto',
  'Name a profile with -p NAME, choose the default with: bnpl profiles use NAME, or add a profile: bnpl profiles add NAME':
    'Nombra un perfil con -p NAME, elige el perfil por defecto con: bnpl profiles use NAME, o agrega uno: bnpl profiles add NAME',
  'the profiles of the sandbox are built in and cannot be changed':
    'los perfiles del sandbox están incluidos y no se pueden cambiar',
  'Name one of your own profiles. List them with: bnpl profiles list':
    'Nombra uno de tus propios perfiles. Míralos con: bnpl profiles list',
  'in the keyring': 'en el llavero',
  'the old key could not be removed from the keyring: {message}. Remove this entry yourself: service “bnpl”, user “{apiKeyEntry}”':
    'no se pudo quitar la clave anterior del llavero: {message:text}. Quita tú esta entrada: servicio «bnpl», usuario «{apiKeyEntry}»',
  'the given public key is the API key itself, but the public key is visible to everybody':
    'la clave pública dada es la propia clave de API, pero la clave pública la ve todo el mundo',
  'Use the public key of the account, and keep the API key on your servers. Nothing was stored.':
    'Usa la clave pública de la cuenta, y deja la clave de API en tus servidores. No se guardó nada.',
  'the profiles in {path} cannot be used: {reason}': 'no se pueden usar los perfiles de {path}: {reason:text}',
  'Update bnpl (the file is unchanged), or name another folder with BNPL_CONFIG_DIR.':
    'Actualiza bnpl (el archivo no cambió), o nombra otra carpeta con BNPL_CONFIG_DIR.',
  'Repair the file (it is unchanged), or move it away and add the profiles again: bnpl profiles add NAME':
    'Repara el archivo (no cambió), o muévelo y agrega los perfiles otra vez: bnpl profiles add NAME',
  '{path} is far too large to be a profile file': '{path} es demasiado grande para ser un archivo de perfiles',
  'the profiles in {path} cannot be read': 'no se pueden leer los perfiles de {path}',
  'it is not JSON{part}': 'no es JSON{part:text}',
  'it was written by a newer bnpl (version {version})': 'lo escribió un bnpl más nuevo (versión {version})',
  'its “default” is not a name': 'su «default» no es un nombre',
  'it has no “profiles”': 'no tiene «profiles»',
  'one of its profiles has a name that is not allowed': 'uno de sus perfiles tiene un nombre que no se permite',
  'profile {name}: {problem}': 'perfil {name}: {problem:text}',
  '“{required}” is missing': 'falta «{required}»',
  '“{name}” is not text': '«{name}» no es texto',
  '“webhookSecrets” is not a list of strings': '«webhookSecrets» no es una lista de textos',
  'the single executable cannot load the package for keyrings; install bnpl with npm instead':
    'el ejecutable único no puede cargar el paquete para llaveros; instala bnpl con npm',
  'the keyring did not answer within 3 seconds. It may be locked, or this system has no desktop session':
    'el llavero no respondió en 3 segundos. Puede estar bloqueado, o este sistema no tiene una sesión de escritorio',
  'the package for keyrings is not installed; install it with: npm install --global {KEYRING_PACKAGE}':
    'el paquete para llaveros no está instalado; instálalo con: npm install --global {KEYRING_PACKAGE}',
  'the keyring refused access, or this system has no keyring': 'el llavero negó el acceso, o este sistema no tiene uno',
  'the keyring of this system cannot be used: {why}': 'no se puede usar el llavero de este sistema: {why:text}',
  '{entry} (trial)': '{entry} (prueba)',
  'The key is stored in the profile file instead.': 'La clave queda en el archivo de perfiles.',
  'the key of profile {name} cannot be read: {message}': 'no se puede leer la clave del perfil {name}: {message:text}',
  'the key of profile {name} is no longer in the keyring': 'la clave del perfil {name} ya no está en el llavero',
  'Set BNPL_API_KEY, or store the key in the profile file: bnpl profiles set-key {name} --no-keyring':
    'Define BNPL_API_KEY, o guarda la clave en el archivo de perfiles: bnpl profiles set-key {name} --no-keyring',
  '{path} was {loss} before this command could save the profiles':
    '{path} fue {loss:text} antes de que este comando pudiera guardar los perfiles',
  'Run the command again. No profile was changed.': 'Ejecuta el comando otra vez. No se cambió ningún perfil.',
  'another process has been changing the profiles for {part} s ({path})':
    'otro proceso está cambiando los perfiles desde hace {part} s ({path})',
  'environment of the account: beta or production': 'ambiente de la cuenta: beta o production',
  'customer’s return address after a payment': 'dirección de vuelta del cliente tras un pago',
  'customer’s return address after a failed payment': 'dirección de vuelta tras un pago fallido',
  'description of the service: a name, or a file': 'descripción del servicio: un nombre, o un archivo',
  'algorithm of webhook signatures (gap 7)': 'algoritmo de las firmas de webhooks (vacío 7)',
  'encoding of webhook signatures: hex or base64 (gap 7)': 'codificación de las firmas: hex o base64 (vacío 7)',
  'header with the signature of a delivery': 'encabezado con la firma de una entrega',
  'header with the token of a delivery': 'encabezado con el token de una entrega',
  'what is signed: body, timestamp or any (gap 7)': 'qué se firma: body, timestamp o any (vacío 7)',
  'greatest age of a timestamp: 5m, or none (gap 7)': 'antigüedad máxima de una hora: 5m, o none (vacío 7)',
  'evaluation field with the pre-approval id (gap 1)': 'campo con el id de pre-aprobación (vacío 1)',
  'subscription field with the project id (gap 9)': 'campo de suscripción con el proyecto (vacío 9)',
  'currency sign before amounts (gap 19)': 'signo de moneda antes de los montos (vacío 19)',
  'PostgreSQL database of the inbox: postgres://…': 'base PostgreSQL de la bandeja: postgres://…',
  'path of the evaluation of a lead (gap 14)': 'ruta de la evaluación de un lead (vacío 14)',
  'path of the lead list (gap 14)': 'ruta de la lista de leads (vacío 14)',
  'path of lead details (gap 14)': 'ruta de los detalles de un lead (vacío 14)',
  'body of `bnpl verify`: form or json (gap 10)': 'cuerpo de `bnpl verify`: form o json (vacío 10)',
  'body of `bnpl webhooks add`: form or json (gap 10)': 'cuerpo de `bnpl webhooks add`: form o json (vacío 10)',
  'body of `bnpl webhooks subscribe`: form, json (gap 10)': '`bnpl webhooks subscribe`: form, json (vacío 10)',
  'events: brackets, repeated, indexed or comma (gap 27)': 'brackets, repeated, indexed o comma (vacío 27)',
  'answers meaning “no loan yet”: 404,422,empty (gap 21)': 'respuestas «aún sin crédito»: 404,422,empty (vacío 21)',
  'send preApproveId with a widget session: yes or no': 'envía preApproveId con una sesión de widget: yes o no',
  'most calls of a run over a file: 100/1m (gap 17)': 'máximo de llamadas con un archivo: 100/1m (vacío 17)',
  'whether the service has entities: yes or no (gap 51)': 'si el servicio tiene entidades: yes o no (vacío 51)',
  'path of the list of entities (gap 51)': 'ruta de la lista de entidades (vacío 51)',
  'path of a change of an entity (gap 51)': 'ruta del cambio de una entidad (vacío 51)',
  'whether `bnpl cancel` has its call: yes or no (gap 50)': 'si `bnpl cancel` tiene su llamada: yes o no (vacío 50)',
  'state of a loan that was cancelled (gap 50)': 'estado de un crédito anulado (vacío 50)',
  'language of the texts for people: {languages}': 'idioma de los textos para personas: {languages}',
  'A gap is something that the specification does not show. List the gaps with:':
    'Un vacío es algo que la especificación no muestra. Mira los vacíos con:',
  '“{SANDBOX}” always means the sandbox of this machine': '«{SANDBOX}» siempre significa el sandbox de este equipo',
  'a name consists of letters, digits, “.”, “_” and “-”, begins with a letter or a digit, and has at most 64 characters':
    'un nombre consiste en letras, dígitos, «.», «_» y «-», empieza con una letra o un dígito, y tiene 64 caracteres como máximo',
  'it looks like a secret key, but the public key is visible to everybody':
    'parece una clave secreta, pero la clave pública la ve todo el mundo',
  'default profile': 'perfil por defecto',
  'profile “{value}” does not exist (named by {source}){value2}':
    'el perfil «{value}» no existe (lo nombra {source:text}){value2:text}',
  'See the profiles: bnpl profiles list': 'Mira los perfiles: bnpl profiles list',
  'Use one of: {part}.{part2}': 'Usa uno de: {part}.{part2:text}',
  'Or add the profile: {part}': 'O agrega el perfil: {part}',
  'the API key from {source} cannot be used: it {reason}':
    'la clave de API ({source:text}) no se puede usar: {reason:text}',
  'Copy only the key itself, without quotes and without spaces.': 'Copia solo la clave, sin comillas y sin espacios.',
  'Set the public key of the account there, and keep the API key on your servers. Nothing was sent.':
    'Define ahí la clave pública de la cuenta, y deja la clave de API en tus servidores. No se envió nada.',
  'in BNPL_API_KEY': 'en BNPL_API_KEY',
  'in BNPL_API_KEY or with {part}': 'en BNPL_API_KEY o con {part}',
  '{source} points to {asked}, but the key of {source2} belongs to {bound}':
    '{source:text} lleva a {asked}, pero la clave ({source2:text}) es de {bound}',
  'Set the key of {asked} {places}, or change the address back to {bound}. Nothing was sent.':
    'Define la clave de {asked} {places:text}, o vuelve a la dirección {bound}. No se envió nada.',
  'the service “{text}” of {source} is not a service that bnpl knows ({part}), and cannot be read as a file: {reason}':
    'el servicio «{text}» ({source:text}) no es uno que bnpl conozca ({part}), y no se puede leer como archivo: {reason:text}',
  'Name a service that bnpl knows, or a file that bnpl contract learn wrote.':
    'Nombra un servicio que bnpl conozca, o un archivo que escribió bnpl contract learn.',
  '{text}, named by {source}, is not the description of a service: {reason}':
    '{text}, que nombra {source:text}, no es la descripción de un servicio: {reason:text}',
  'Learn the description from the recording, and name the new file instead: bnpl contract learn {text} --write service.json':
    'Aprende la descripción de la grabación, y nombra el archivo nuevo: bnpl contract learn {text} --write service.json',
  'Correct the field, or write the file again: bnpl contract learn RECORDING --write FILE':
    'Corrige el campo, o escribe el archivo otra vez: bnpl contract learn RECORDING --write FILE',
  'it is empty, or begins or ends with a space': 'está vacío, o empieza o termina con un espacio',
  'it is longer than 8 characters': 'es más largo que 8 caracteres',
  'it contains a password; set the password in BNPL_DATABASE_PASSWORD or PGPASSWORD instead':
    'contiene una contraseña; define la contraseña en BNPL_DATABASE_PASSWORD o PGPASSWORD',
  'not an address of a database': 'no es la dirección de una base de datos',
  'the database address of {source} is not valid: {reason}':
    'la dirección de la base de datos ({source:text}) no es válida: {reason:text}',
  'the address of {source} contains a password, which other users may have read':
    'la dirección ({source:text}) contiene una contraseña, que otros usuarios pueden haber leído',
  'Change the password, and use an address without a password. Set the new password in BNPL_DATABASE_PASSWORD or PGPASSWORD, or use --database-password-file FILE.':
    'Cambia la contraseña, y usa una dirección sin contraseña. Define la nueva en BNPL_DATABASE_PASSWORD o PGPASSWORD, o usa --database-password-file FILE.',
  'Repair the file, or move it away and add the profiles again: bnpl profiles add NAME':
    'Repara el archivo, o muévelo y agrega los perfiles otra vez: bnpl profiles add NAME',
  '{text}, named by {source}, is not the description of a service: its “service” is none that bnpl knows ({part})':
    '{text}, que nombra {source:text}, no es la descripción de un servicio: su «service» no es uno que bnpl conozca ({part})',
  'Correct the field, or remove it for a service that follows the specification.':
    'Corrige el campo, o quítalo si el servicio sigue la especificación.',
  'Run: {part}': 'Ejecuta: {part}',
}
