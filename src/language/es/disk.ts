import type { Catalogue } from '../packing.ts'

export const disk: Catalogue = {
  '{path} is a symbolic link, and bnpl does not write through links':
    '{path} es un enlace simbólico, y bnpl no escribe a través de enlaces',
  'Name another file instead.': 'Nombra otro archivo.',
  '{path} is not {what}': '{path} no es {what:text}',
  'Name another file, or remove {path}.': 'Nombra otro archivo, o borra {path}.',
  '{path} is already closed': '{path} ya está cerrado',
  '{path} was {loss} while bnpl wrote to it, so what bnpl wrote may be lost':
    '{path} fue {loss:text} mientras bnpl escribía en él, así que lo escrito puede haberse perdido',
  'Name a file that no other program changes.': 'Nombra un archivo que ningún otro programa cambie.',
  '{path} cannot be written': 'no se puede escribir {path}',
  'Name a file in a folder that exists and that you can write in.':
    'Nombra un archivo en una carpeta que exista y en la que puedas escribir.',
  '{path} could not be written ({code}); its earlier lines are complete':
    'no se pudo escribir {path} ({code}); sus líneas anteriores están completas',
  'Name a file on another disk.': 'Nombra un archivo en otro disco.',
  '{advice}, or name a file on another disk.': '{advice:text}, o nombra un archivo en otro disco.',
  '{path} is not the lock file of bnpl': '{path} no es el archivo de bloqueo de bnpl',
  'Move that file away: {path}': 'Mueve ese archivo: {path}',
  'the lock file {path} could not be written: the disk is full or reported an error':
    'no se pudo escribir el archivo de bloqueo {path}: el disco está lleno o informó un error',
  '{path}, then run the command again.': '{path:text}, y ejecuta el comando otra vez.',
  'the lock file {path} cannot be opened': 'no se puede abrir el archivo de bloqueo {path}',
  'Check its permissions. The file may belong to root, if an earlier command ran under sudo.':
    'Revisa sus permisos. El archivo puede ser de root, si un comando anterior se ejecutó con sudo.',
  'removed or renamed': 'borrado o cambiado de nombre',
  'Check the path and its permissions.': 'Revisa la ruta y sus permisos.',
  'Check the owner and the mode, because you have no permission for this file or folder.':
    'Revisa el dueño y el modo, porque no tienes permiso para este archivo o carpeta.',
  'Close the program that has this file open, and run the command again.':
    'Cierra el programa que tiene abierto este archivo, y ejecuta el comando otra vez.',
  'Choose another folder, because this file system is read-only. BNPL_CONFIG_DIR and BNPL_STATE_DIR set the folders of bnpl.':
    'Elige otra carpeta, porque este sistema de archivos es de solo lectura. BNPL_CONFIG_DIR y BNPL_STATE_DIR definen las carpetas de bnpl.',
  'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that can be created.':
    'Define BNPL_CONFIG_DIR y BNPL_STATE_DIR con carpetas que se puedan crear.',
  'Correct the path. A part of it is a file, not a folder.':
    'Corrige la ruta. Una parte de ella es un archivo, no una carpeta.',
  'other users may be able to read {folder} (mode {found}), because its disk stores no modes. Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders on another disk':
    'tal vez otros usuarios pueden leer {folder} (modo {found}), porque su disco no guarda modos. Define BNPL_CONFIG_DIR y BNPL_STATE_DIR con carpetas en otro disco',
  'the disk is full': 'el disco está lleno',
  'the disk quota is used up': 'la cuota de disco está agotada',
  'a file of this size is not allowed here': 'aquí no se permite un archivo de este tamaño',
  'you have no permission to write there': 'no tienes permiso para escribir ahí',
  'another program has it open, such as Excel': 'otro programa lo tiene abierto, como Excel',
  'its disk does not allow this name': 'su disco no permite este nombre',
  'its name is too long': 'su nombre es demasiado largo',
  'its folder is missing': 'falta su carpeta',
  'Raise the limit for the size of a file (ulimit -f)': 'Sube el límite de tamaño de un archivo (ulimit -f)',
  'Use a disk that stores larger files (FAT32 stores files of up to 4 GB)':
    'Usa un disco que guarde archivos más grandes (FAT32 guarda archivos de hasta 4 GB)',
  'Check who has access to this file or folder (icacls), and close other programs that use it.':
    'Revisa quién tiene acceso a este archivo o carpeta (icacls), y cierra otros programas que lo usen.',
  'Make room on that disk{part}': 'Libera espacio en ese disco{part:text}',
  '{part} are free there': 'ahí quedan {part}',
  'accounts, with their keys': 'cuentas, con sus claves',
  'a lock, held while profiles are changed': 'un bloqueo, mientras se cambian perfiles',
  'the history of transactions and reports': 'el historial de transacciones e informes',
  'events that were received': 'eventos recibidos',
  'a lock, held by the receiver of the inbox': 'un bloqueo, del receptor de la bandeja',
  'the process that holds inbox.lock': 'el proceso que tiene inbox.lock',
  'reserved space, which the inbox uses when the disk is full':
    'espacio reservado, que la bandeja usa cuando el disco está lleno',
  'the saved events of an inbox whose file was removed or replaced':
    'los eventos salvados de una bandeja cuyo archivo se borró o reemplazó',
  'which rows of a run were sent': 'qué filas de una ejecución se enviaron',
  'which files each run reads and writes': 'qué archivos lee y escribe cada ejecución',
  'a lock, held during a run': 'un bloqueo, durante una ejecución',
  "rows from a pipe; the file's name is removed as soon as the file is open":
    'filas de una tubería; el nombre del archivo se borra apenas se abre',
  'the state of the sandbox': 'el estado del sandbox',
  'the address of the running sandbox, and its token': 'la dirección del sandbox en marcha, y su token',
  'a saved state of the sandbox': 'un estado guardado del sandbox',
  'results of a run, and the file of the rows that failed':
    'resultados de una ejecución, y el archivo de las filas que fallaron',
  'a downloaded report': 'un informe descargado',
  'a summary for CI': 'un resumen para CI',
  'requests, answers and deliveries, without secrets and with invented personal data':
    'llamadas, respuestas y entregas, sin secretos y con datos personales inventados',
  'a recording as HAR or as fixtures': 'una grabación como HAR o como datos para pruebas',
  'the addresses of a running server, and its keys if it is a sandbox':
    'las direcciones de un servidor en marcha, y sus claves si es un sandbox',
  'the compiled program': 'el programa compilado',
  'the state of a sandbox that runs for a single command, or a snapshot while it is read':
    'el estado de un sandbox para un solo comando, o una instantánea mientras se lee',
  'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to folders that this user has permission to create.':
    'Define BNPL_CONFIG_DIR y BNPL_STATE_DIR con carpetas que este usuario pueda crear.',
  'the folder {folder} could not be created': 'no se pudo crear la carpeta {folder}',
  '{folder} was open to other users (mode {found}); its mode is 0700 now':
    '{folder} estaba abierta a otros usuarios (modo {found}); su modo es ahora 0700',
  'other users can write in {folder}, so it is not safe to keep files there':
    'otros usuarios pueden escribir en {folder}, así que no es seguro guardar archivos ahí',
  'Set BNPL_CONFIG_DIR and BNPL_STATE_DIR to a separate folder, such as {folder}.':
    'Define BNPL_CONFIG_DIR y BNPL_STATE_DIR con una carpeta aparte, como {folder}.',
  '{path} is not a regular file': '{path} no es un archivo normal',
  '{path} is readable by other users (mode {found}), and bnpl could not change its mode':
    'otros usuarios pueden leer {path} (modo {found}), y bnpl no pudo cambiar su modo',
  'Make it private: {part}': 'Hazlo privado: {part}',
  '{path} was open to other users (mode {found}); its mode is 0600 now':
    '{path} estaba abierto a otros usuarios (modo {found}); su modo es ahora 0600',
  '{path} could not be created': 'no se pudo crear {path}',
  '{path} is a symbolic link, but bnpl does not read or write settings and state through links':
    '{path} es un enlace simbólico, pero bnpl no lee ni escribe configuración y estado a través de enlaces',
  'Put the real {path} in {path2}, or name the real folder with BNPL_CONFIG_DIR and BNPL_STATE_DIR.':
    'Pon el {path} real en {path2}, o nombra la carpeta real con BNPL_CONFIG_DIR y BNPL_STATE_DIR.',
  '{path} has more than one name (a hard link), so two processes could use it at the same time without noticing each other':
    '{path} tiene más de un nombre (un enlace duro), así que dos procesos podrían usarlo a la vez sin notarlo',
  'While no bnpl runs, make it a file of its own: {part}':
    'Mientras ningún bnpl esté en marcha, haz de él un archivo propio: {part}',
  '{path} cannot be read': 'no se puede leer {path}',
  '{path} belongs to another user (uid {uid}, this process runs as uid {own})':
    '{path} es de otro usuario (uid {uid}; este proceso es de uid {own})',
  'Run bnpl as that user, or set BNPL_CONFIG_DIR and BNPL_STATE_DIR to your own folders. Under sudo, HOME may still be the home folder of the user who called sudo.':
    'Ejecuta bnpl como ese usuario, o define BNPL_CONFIG_DIR y BNPL_STATE_DIR con tus propias carpetas. Con sudo, HOME puede seguir siendo la carpeta de quien llamó a sudo.',
  '{path} was locked by another process for too long': 'otro proceso bloqueó {path} por demasiado tiempo',
  'Run the command again when that process has finished.': 'Ejecuta el comando otra vez cuando ese proceso termine.',
  '{path} is read-only': '{path} es de solo lectura',
  'Check its permissions, and how its disk is mounted, or name another folder with BNPL_STATE_DIR.':
    'Revisa sus permisos, y cómo está montado su disco, o nombra otra carpeta con BNPL_STATE_DIR.',
  '{path} could not be written: the disk is full or reported an error':
    'no se pudo escribir {path}: el disco está lleno o informó un error',
  '{path}, or name another folder with BNPL_STATE_DIR.': '{path:text}, o nombra otra carpeta con BNPL_STATE_DIR.',
  '{path} cannot be used (SQLite error {code})': 'no se puede usar {path} (error {code} de SQLite)',
  'Check its permissions, or name another folder with BNPL_STATE_DIR.':
    'Revisa sus permisos, o nombra otra carpeta con BNPL_STATE_DIR.',
  '{path} is damaged and was not changed': '{path} está dañado y no se cambió',
  'Move the file away, so that bnpl can create a new one: {path}':
    'Mueve el archivo, para que bnpl pueda crear uno nuevo: {path}',
  'name another folder with BNPL_STATE_DIR': 'nombra otra carpeta con BNPL_STATE_DIR',
  'Remove the link, or name another file{withOption}.': 'Quita el enlace, o nombra otro archivo{withOption:text}.',
  '{path} is a directory': '{path} es una carpeta',
  'Name a file{withOption}.': 'Nombra un archivo{withOption:text}.',
  'Name another file{withOption}.': 'Nombra otro archivo{withOption:text}.',
  'Add --force to replace it, or choose another place.': 'Agrega --force para reemplazarlo, o elige otro lugar.',
  'with {option}': 'con {option}',
  '{path} cannot be created, because a part of {path2} is not a directory':
    'no se puede crear {path}, porque una parte de {path2} no es una carpeta',
  'Choose another place{otherPlace}.': 'Elige otro lugar{otherPlace:text}.',
  '{path} could not be written: {why} ({code}). No partial file is left behind':
    'no se pudo escribir {path}: {why:text} ({code}). No queda un archivo a medias',
  '{path} If the file existed before, it was not changed.': '{path:text} Si el archivo existía antes, no se cambió.',
  'choose another place{otherPlace}.': 'elige otro lugar{otherPlace:text}.',
  'Raise the limit (ulimit -f) to more than {written}, or {other}':
    'Sube el límite (ulimit -f) a más de {written}, o {other:text}',
  'Make room for more than {written}{part}, or {other}': 'Libera más de {written}{part:text}, o {other:text}',
  'it is on a read-only file system': 'está en un sistema de archivos de solo lectura',
  '{path} could not be written': 'no se pudo escribir {path}',
  'port {port} on {host} is taken': 'el puerto {port} de {host} está ocupado',
  'Choose another port with --{prefix}port N, or any free port with --{prefix2}port 0.':
    'Elige otro puerto con --{prefix}port N, o cualquier puerto libre con --{prefix2}port 0.',
  'Windows does not let programs open port {port}': 'Windows no deja que los programas abran el puerto {port}',
  'Choose another port with --{prefix}port N, or any free port with --{same}port 0. To see which ports are reserved: netsh int ipv4 show excludedportrange tcp':
    'Elige otro puerto con --{prefix}port N, o cualquier puerto libre con --{same}port 0. Para ver los puertos reservados: netsh int ipv4 show excludedportrange tcp',
  '{name} cannot be the name of a file on Windows': '{name} no puede ser el nombre de un archivo en Windows',
  'this user has no permission to open port {port}': 'este usuario no tiene permiso para abrir el puerto {port}',
  'Choose a port above 1023 with --{prefix}port N.': 'Elige un puerto mayor que 1023 con --{prefix}port N.',
  '{host} is not an address of this machine ({code})': '{host} no es una dirección de este equipo ({code})',
  'Remove --{prefix}host to listen on 127.0.0.1.': 'Quita --{prefix}host para escuchar en 127.0.0.1.',
  '{name} was written by a newer bnpl (its tables have version {version}; this bnpl knows versions up to {known}) and was not changed':
    '{name} lo escribió un bnpl más nuevo (sus tablas tienen la versión {version}; este bnpl conoce hasta la {known}) y no se cambió',
  'Update bnpl, or {otherPlace}.': 'Actualiza bnpl, o {otherPlace:text}.',
  '{name} belongs to another program and was not changed': '{name} es de otro programa y no se cambió',
  'it does not begin with postgres://; write it as {EXAMPLE}': 'no empieza con postgres://; escríbela como {EXAMPLE}',
  'it has a “#”; write this character as %23 in a password':
    'tiene un «#»; en una contraseña, escribe este carácter como %23',
  'it is not an address; write it as {EXAMPLE}': 'no es una dirección; escríbela como {EXAMPLE}',
  'sslrootcert cannot be used here; set NODE_EXTRA_CA_CERTS to the file of your certificate authority':
    'aquí no se puede usar sslrootcert; define NODE_EXTRA_CA_CERTS con el archivo de tu autoridad certificadora',
  'after the “?” only sslmode, host and user are allowed': 'después del «?» solo se permiten sslmode, host y user',
  'its percent-encoding is wrong; write a “%” as %25': 'su codificación con % está mal; escribe un «%» como %25',
  'it has no valid database name; write it as {EXAMPLE}':
    'no tiene un nombre válido de base de datos; escríbela como {EXAMPLE}',
  'it has no host name; write it as {EXAMPLE}': 'no tiene nombre de host; escríbela como {EXAMPLE}',
  'its sslmode is not one of {part}': 'su sslmode no es uno de {part}',
  'sslmode={mode} could send passwords and personal data over the network unencrypted. Leave sslmode out, so that the connection is encrypted and the server is verified':
    'sslmode={mode} podría enviar contraseñas y datos personales por la red sin cifrar. Omite sslmode, para que la conexión vaya cifrada y el servidor se verifique',
  'Start the database, or check the address and the network.':
    'Inicia la base de datos, o revisa la dirección y la red.',
  'Set NODE_EXTRA_CA_CERTS to the file of your certificate authority, and use a host name that is in the certificate.':
    'Define NODE_EXTRA_CA_CERTS con el archivo de tu autoridad certificadora, y usa un nombre de host que esté en el certificado.',
  'Set BNPL_DATABASE_PASSWORD or PGPASSWORD, or use --database-password-file FILE.':
    'Define BNPL_DATABASE_PASSWORD o PGPASSWORD, o usa --database-password-file FILE.',
  'is behind a pooler that does not keep sessions': 'está detrás de un pooler que no conserva sesiones',
  'Set pool_mode = session in the pooler, or use the database’s own address.':
    'Define pool_mode = session en el pooler, o usa la dirección propia de la base de datos.',
  'does not answer as PostgreSQL does': 'no responde como PostgreSQL',
  'Check the port, because another service may be at that address.':
    'Revisa el puerto, porque otro servicio puede estar en esa dirección.',
  'cannot be reached: nothing answers at the address': 'no está disponible: nadie responde en la dirección',
  'cannot be reached: the socket does not exist': 'no está disponible: el socket no existe',
  'cannot be reached: this user has no permission to open its socket':
    'no está disponible: este usuario no tiene permiso para abrir su socket',
  'cannot be reached: its host name was not found': 'no está disponible: no se encontró su nombre de host',
  'cannot be reached: the network has no route to it': 'no está disponible: la red no tiene una ruta hacia ella',
  'cannot be reached: no answer in time': 'no está disponible: sin respuesta a tiempo',
  'closed the connection': 'cerró la conexión',
  'cut the connection': 'cortó la conexión',
  'refused the user or the password': 'rechazó el usuario o la contraseña',
  'refused a connection of this user from this machine': 'rechazó una conexión de este usuario desde este equipo',
  'Check pg_hba.conf on the server, and that the user exists. The server may also require a password.':
    'Revisa pg_hba.conf en el servidor, y que el usuario exista. El servidor también puede exigir una contraseña.',
  'does not exist on that server': 'no existe en ese servidor',
  'Create the database for the user with which bnpl connects: createdb --owner=USER DATABASE':
    'Crea la base de datos para el usuario con el que bnpl se conecta: createdb --owner=USER DATABASE',
  'refused this user: a permission is missing': 'rechazó a este usuario: falta un permiso',
  'Ask the owner of the database for permissions: CREATE ON DATABASE if the tables do not exist yet, otherwise SELECT, INSERT, UPDATE and DELETE on the tables.':
    'Pide permisos al dueño de la base de datos: CREATE ON DATABASE si las tablas todavía no existen; si no, SELECT, INSERT, UPDATE y DELETE en las tablas.',
  'is read-only, so it may be a standby': 'es de solo lectura, así que puede ser una réplica',
  'Use the address of the primary server.': 'Usa la dirección del servidor primario.',
  'could not be written: its disk is full': 'no se pudo escribir: su disco está lleno',
  'could not be written: it is out of memory': 'no se pudo escribir: se quedó sin memoria',
  'could not be written: its disk failed': 'no se pudo escribir: su disco falló',
  'has no connection left': 'no tiene más conexiones',
  'Close unused connections, or raise a limit: max_connections of the server, or the limit of the user or database.':
    'Cierra conexiones sin uso, o sube un límite: max_connections del servidor, o el límite del usuario o de la base de datos.',
  'ended the connection, which was idle for too long': 'terminó la conexión, que estuvo demasiado tiempo sin uso',
  'does not allow this user to create the tables': 'no permite a este usuario crear las tablas',
  'Run GRANT CREATE ON DATABASE … TO … on the server, or run this bnpl command once as the owner of the database.':
    'Ejecuta GRANT CREATE ON DATABASE … TO … en el servidor, o ejecuta este comando de bnpl una vez como dueño de la base de datos.',
  'does not allow this user to see the tables': 'no permite a este usuario ver las tablas',
  'Run GRANT USAGE ON SCHEMA … TO …': 'Ejecuta GRANT USAGE ON SCHEMA … TO …',
  'does not allow this user to read or write the tables': 'no permite a este usuario leer o escribir las tablas',
  'Run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA … TO …; and GRANT USAGE ON ALL SEQUENCES IN SCHEMA … TO …':
    'Ejecuta GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA … TO …; y GRANT USAGE ON ALL SEQUENCES IN SCHEMA … TO …',
  'does not allow this user to change the tables, which belong to another user':
    'no permite a este usuario cambiar las tablas, que son de otro usuario',
  'Run this command once as the owner of the tables, so that it can update them for this version of bnpl.':
    'Ejecuta este comando una vez como dueño de las tablas, para que las actualice a esta versión de bnpl.',
  'is starting or stopping, or cancelled the query': 'está iniciando o deteniéndose, o canceló la consulta',
  'does not speak TLS': 'no habla TLS',
  'asks for a password, and none was given': 'pide una contraseña, y no se dio ninguna',
  'could not complete the password check': 'no pudo completar la verificación de la contraseña',
  'did not answer in time': 'no respondió a tiempo',
  'the database {name} cannot be used (PostgreSQL error {code})':
    'la base de datos {name} no se puede usar (error {code} de PostgreSQL)',
  'the database {name} {what}': 'la base de datos {name} {what:text}',
  'did not prove its identity, or offers no TLS that bnpl accepts ({word}); nothing was sent':
    'no probó su identidad, o no ofrece un TLS que bnpl acepte ({word}); no se envió nada',
  'Switch TLS on in the server (ssl = on). Only a database on this machine may be used without TLS.':
    'Activa TLS en el servidor (ssl = on). Solo una base de datos de este equipo se puede usar sin TLS.',
  'the schema {schema} of the database {name}': 'el esquema {schema} de la base de datos {name}',
  'use another database': 'usa otra base de datos',
  'the database {name} is not in UTF-8, so it cannot store every id and name':
    'la base de datos {name} no está en UTF-8, así que no puede guardar todos los ids y nombres',
  'Use a UTF-8 database: createdb --encoding=UTF8 --template=template0 NAME':
    'Usa una base de datos UTF-8: createdb --encoding=UTF8 --template=template0 NAME',
  '{what} during this command': '{what:text} durante este comando',
  'Name another file{withOption}, without < > : " | ? * and not called CON, PRN, AUX, NUL, COM1 or LPT1.':
    'Nombra otro archivo{withOption:text}, sin < > : " | ? * y que no se llame CON, PRN, AUX, NUL, COM1 ni LPT1.',
}
