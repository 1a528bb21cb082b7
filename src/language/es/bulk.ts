import type { Catalogue } from '../packing.ts'

export const bulk: Catalogue = {
  '--column “{choice}” is not valid': '--column «{choice}» no es válido',
  '--column: “{ours}” is not a column that bnpl reads': '--column: «{ours}» no es una columna que bnpl lea',
  '--encoding “{text}” is not a known encoding': '--encoding «{text}» no es una codificación conocida',
  '--concurrency “{text}” is not valid: it must be a whole number from 1 to {MOST_AT_ONCE}, digits only':
    '--concurrency «{text}» no es válido: debe ser un número entero de 1 a {MOST_AT_ONCE}, solo dígitos',
  '--rate “{text}” is not a rate': '--rate «{text}» no es un ritmo',
  'Running over {rows} rows …': 'Se procesan {rows} {rows:fila|filas} …',
  '--from {from} cannot be read: {error}': 'no se puede leer --from {from}: {error:text}',
  '{name} has no rows': '{name} no tiene filas',
  'Write at least one row into the file. Nothing was sent.':
    'Escribe al menos una fila en el archivo. No se envió nada.',
  '{row} is empty': 'la columna {row:text} está vacía',
  'this row repeats the first line of the file': 'esta fila repite la primera línea del archivo',
  'this row has the totals of the other rows, and is not a row of its own':
    'esta fila tiene los totales de las otras filas, y no es una fila propia',
  'Add --skip-total to leave out rows of totals.': 'Agrega --skip-total para omitir filas de totales.',
  'If an id is meant as the file has it, add --accept-ids.':
    'Si un id está bien como aparece en el archivo, agrega --accept-ids.',
  'The ids in lines {line} and {line2} look alike (“{id}”), but their characters differ. They are two transactions.':
    'Los ids de las líneas {line} y {line2} se parecen («{id}»), pero sus caracteres difieren. Son dos transacciones.',
  'There are {part} more ids that look alike.': 'Hay {part} ids más que se parecen.',
  '{row} is the same as in line {earlier}': 'la columna {row:text} tiene lo mismo que en la línea {earlier}',
  '{name} has more than {maxRows} rows': '{name} tiene más de {maxRows} filas',
  'Split the file and run the parts one after the other. Nothing was sent.':
    'Divide el archivo y ejecuta las partes una tras otra. No se envió nada.',
  'a problem': 'un problema',
  '{count} problems': '{count} problemas',
  '… and {part} more': '… y {part} más',
  'line {line}: {problem}': 'línea {line}: {problem:text}',
  '{what} during this run': '{what:text} durante esta ejecución',
  'Run the command again.': 'Ejecuta el comando otra vez.',
  '{path} is being written by another run (pid {pid})': 'otra ejecución (proceso {pid}) está escribiendo {path}',
  'Wait for that process, or name another file. Nothing was sent.':
    'Espera ese proceso, o nombra otro archivo. No se envió nada.',
  'column {part}': 'columna {part}',
  '{file} has no column {part}; the columns of its first line are: {part2}':
    '{file} no tiene columna {part}; las columnas de su primera línea son: {part2:list}',
  '{part}Add the missing columns, or say which column of the file is meant: --column NAME={part2}. bnpl reads these columns (| is between names of the same column): {part3}':
    '{part:text}Agrega las columnas que faltan, o di qué columna del archivo es: --column NAME={part2}. bnpl lee estas columnas (con | entre los nombres de una misma): {part3}',
  'The first line of the file must have the names of the columns. Delete titles above it.':
    'La primera línea del archivo debe tener los nombres de las columnas. Borra los títulos de arriba.',
  '(no name)': '(sin nombre)',
  '{file} has the column {name} more than once': '{file} tiene la columna {name} más de una vez',
  'Keep only one of these columns. Nothing was sent.': 'Deja solo una de estas columnas. No se envió nada.',
  '{file} has the column {name}, which can mean {part}':
    '{file} tiene la columna {name}, que puede significar {part:list}',
  "Say what it is with {part}. To leave it out of the comparison, use --column '{name}='. Nothing was sent.":
    "Di qué es con {part:list}. Para dejarla fuera de la comparación, usa --column '{name}='. No se envió nada.",
  '{file} has two columns with the same meaning, and they differ in line {line}: {one} and {other}':
    '{file} tiene dos columnas con el mismo significado, y difieren en la línea {line}: {one:quoted} y {other:quoted}',
  "Keep only one of these columns, or leave one out with --column '{part}='. Nothing was sent.":
    "Deja solo una de estas columnas, u omite una con --column '{part}='. No se envió nada.",
  'Write the name in the file, then the name that bnpl reads: --column Pedido=externalTrxId':
    'Escribe el nombre del archivo y luego el que lee bnpl: --column Pedido=externalTrxId',
  'Use one of these names: {part}.': 'Usa uno de estos nombres: {part}.',
  'Columns read: {part}.': 'Columnas leídas: {part}.',
  'Compared with the loan: {part}.': 'Se compara con el crédito: {part:names}.',
  'in {count} of {rows} rows': 'en {count} de {rows} {rows:fila|filas}',
  'Compared with the loan: nothing. The run only checks that a loan exists.':
    'Se compara con el crédito: nada. La ejecución revisa solo que exista un crédito.',
  'Not compared, because every cell is empty: {part}.': 'No se compara, porque todas las celdas están vacías: {part}.',
  'Not compared': 'No se compara',
  'Not used': 'No se usa',
  'a quoted cell is not closed, or has text after its closing quote':
    'una celda entre comillas no se cierra, o tiene texto después de cerrarse',
  'this row is longer than 10 MB; a closing quote may be missing':
    'esta fila es más larga que 10 MB; puede faltar una comilla de cierre',
  'this line is longer than 10 MB, so this is probably not a file of rows':
    'esta línea es más larga que 10 MB, así que probablemente no es un archivo de filas',
  'it has {count} cell{part}, but the first line has {length}':
    'tiene {count} {count:celda|celdas}, pero la primera línea tiene {length}',
  'the rows of {name} could not be copied to {dir}': 'las filas de {name} no se pudieron copiar a {dir}',
  'Write the rows into a file and use --from FILE. bnpl reads a file directly, without a copy. Nothing was sent.':
    'Escribe las filas en un archivo y usa --from FILE. bnpl lee un archivo directamente, sin copia. No se envió nada.',
  '{name} is longer than {part} GiB, the maximum that bnpl reads from a pipe':
    '{name} es más largo que {part} GiB, el máximo que bnpl lee de una tubería',
  'If the input has an end, write it to a file and use --from FILE. Nothing was sent.':
    'Si la entrada tiene fin, escríbela en un archivo y usa --from FILE. No se envió nada.',
  '{name} was changed during the run, so the run stopped before it sent a changed row':
    '{name} cambió durante la ejecución, así que la ejecución se detuvo antes de enviar una fila cambiada',
  'Run the command again when no program writes to the file. If some of its rows were sent, restore the old content first and add --resume.':
    'Ejecuta el comando otra vez cuando ningún programa escriba en el archivo. Si se enviaron algunas filas, recupera primero el contenido anterior y agrega --resume.',
  'Every row is sent, because no earlier run of this file was found on this machine.':
    'Se envían todas las filas, porque no se encontró en este equipo una ejecución anterior de este archivo.',
  'Add --resume to continue that run without sending anything twice, or --restart to send every row again. Nothing was sent.':
    'Agrega --resume para seguir esa ejecución sin enviar nada dos veces, o --restart para enviar todas las filas otra vez. No se envió nada.',
  'Add --resume to write the results again; rows with a final answer are not sent again. Or add --restart to send every row again. Nothing was sent.':
    'Agrega --resume para escribir los resultados otra vez; las filas con respuesta final no se envían otra vez. O agrega --restart para enviar todas las filas otra vez. No se envió nada.',
  'an earlier run of this file (started {startedAt}) did not finish':
    'una ejecución anterior de este archivo (iniciada {startedAt}) no terminó',
  'the rows of this file were already sent by the run of {startedAt}':
    'las filas de este archivo ya las envió la ejecución de {startedAt}',
  'the run of {startedAt} already sent rows of this file, and some of them were changed or removed afterwards':
    'la ejecución de {startedAt} ya envió filas de este archivo, y algunas se cambiaron o quitaron después',
  'Put new rows into a separate file. To send every row again, even those that were already sent, add --restart. Nothing was sent now.':
    'Pon las filas nuevas en otro archivo. Para enviar todas otra vez, también las ya enviadas, agrega --restart. Ahora no se envió nada.',
  'the file was changed after its run of {startedAt} began, and that run did not finish':
    'el archivo cambió después de que empezó su ejecución de {startedAt}, y esa ejecución no terminó',
  'Restore the old content and continue with --resume. Or add --restart, which sends every row of the new content. Nothing was sent.':
    'Recupera el contenido anterior y sigue con --resume. O agrega --restart, que envía todas las filas del contenido nuevo. No se envió nada.',
  'the run of {startedAt} was started with other settings ({settings}; now {settings2})':
    'la ejecución de {startedAt} empezó con otra configuración ({settings}; ahora {settings2})',
  'Use the same settings to continue, or add --restart, which sends every row again. Nothing was sent.':
    'Usa la misma configuración para seguir, o agrega --restart, que envía todas las filas otra vez. No se envió nada.',
  'the record of an earlier run of this file is damaged and was not changed ({path}); it is unknown which rows were sent':
    'el registro de una ejecución anterior de este archivo está dañado y no se cambió ({path}); no se sabe qué filas se enviaron',
  'Find out from the results of the earlier run which rows were sent, and put the others into a new file. To send every row again, add --restart. Nothing was sent.':
    'Averigua en los resultados de la ejecución anterior qué filas se enviaron, y pon las otras en un archivo nuevo. Para enviar todas otra vez, agrega --restart. No se envió nada.',
  'another process (pid {pid}) is already sending the rows of this file':
    'otro proceso ({pid}) ya está enviando las filas de este archivo',
  'Wait for that process, or stop it. Nothing was sent.': 'Espera ese proceso, o detenlo. No se envió nada.',
  '{what} during this run, so nothing more was sent':
    '{what:text} durante esta ejecución, así que no se envió nada más',
  'Restore that file before you repeat this run, because it shows which rows were sent. The results that were written so far also show these rows.':
    'Recupera ese archivo antes de repetir esta ejecución, porque muestra qué filas se enviaron. Los resultados escritos hasta ahora también las muestran.',
  'the ledger of this run could not be written, so nothing more was sent: {message}':
    'no se pudo escribir el registro de esta ejecución, así que no se envió nada más: {message:text}',
  '{path}, then continue with --resume.': '{path:text}, y sigue con --resume.',
  '{wrong} must be text or a number': '{wrong} debe ser texto o un número',
  'this line is longer than 10 MB': 'esta línea es más larga que 10 MB',
  'it is not JSON (one object on each line)': 'no es JSON (un objeto por línea)',
  'it is not a JSON object': 'no es un objeto JSON',
  '{twice} occurs twice': '{twice} aparece dos veces',
  'an earlier run got no answer to this cancellation, and the loan is now {state}, not {cancelledState}':
    'una ejecución anterior no recibió respuesta a esta anulación, y el crédito ahora está {state}, no {cancelledState}',
  'If that was some minutes ago, the loan was not cancelled. Send the row again with --retry-unknown.':
    'Si eso fue hace algunos minutos, el crédito no se anuló. Envía la fila otra vez con --retry-unknown.',
  'an earlier run was cut off while it sent this row, so the call may have been carried out':
    'una ejecución anterior se cortó mientras enviaba esta fila, así que la llamada puede haberse realizado',
  'Find out whether the service carried out this row before you send it again.':
    'Averigua si el servicio realizó esta fila antes de enviarla otra vez.',
  'the system reported an error': 'el sistema informó un error',
  'Check its folder': 'Revisa su carpeta',
  '{path} could not be written: {why} ({code})': 'no se pudo escribir {path}: {why:text} ({code})',
  '{first}, or name another file with {otherPlace}.': '{first:text}, o nombra otro archivo con {otherPlace}.',
  'unknown cause': 'causa desconocida',
  'a part of its path is not a folder': 'una parte de su ruta no es una carpeta',
  'its disk is read-only': 'su disco es de solo lectura',
  'too many files are open': 'hay demasiados archivos abiertos',
  'Create the folder of the file first': 'Crea primero la carpeta del archivo',
  'Correct the path': 'Corrige la ruta',
  'Check the owner and the mode of its folder': 'Revisa el dueño y el modo de su carpeta',
  'Close it in that program': 'Ciérralo en ese programa',
  'Make that disk writable': 'Permite la escritura en ese disco',
  'Shorten the name': 'Acorta el nombre',
  'Raise the limit for open files (ulimit -n)': 'Sube el límite de archivos abiertos (ulimit -n)',
  'Check who has access to its folder (icacls)': 'Revisa quién tiene acceso a su carpeta (icacls)',
  'Close other programs': 'Cierra otros programas',
  'a file appeared at {path} during the run and was not changed':
    'apareció un archivo en {path} durante la ejecución y no se cambió',
  'Run the same command with --resume and {otherPlace} OTHER-FILE. It writes the results and sends nothing twice.':
    'Ejecuta el mismo comando con --resume y {otherPlace} OTHER-FILE. Escribe los resultados y no envía nada dos veces.',
  'the disk failed': 'el disco falló',
  'the results could not be written to {path}: {why} ({code})':
    'no se pudieron escribir los resultados en {path}: {why:text} ({code})',
  '{part} the same command with --resume. It writes the results and sends nothing twice.':
    '{part:text} el mismo comando con --resume. Escribe los resultados y no envía nada dos veces.',
  Run: 'Ejecuta',
  '{first}, then run': '{first:text}, y ejecuta',
  'Write a header line and rows into the file.': 'Escribe una línea de encabezado y filas en el archivo.',
  '{name} is a JSON array, but NDJSON needs one object on each line':
    '{name} es una lista JSON, pero NDJSON necesita un objeto por línea',
  "Convert it to NDJSON in a pipe: jq -c '.[]' FILE | bnpl … --from -":
    "Conviértelo a NDJSON en una tubería: jq -c '.[]' FILE | bnpl … --from -",
  'this line is not UTF-8 text. Save the file as UTF-8 (in Excel: “CSV UTF-8”), or name its encoding, such as --encoding windows-1252':
    'esta línea no es texto UTF-8. Guarda el archivo como UTF-8 (en Excel: «CSV UTF-8»), o nombra su codificación, como --encoding windows-1252',
  'the text from this line on is not {encoding}. Correct --encoding':
    'el texto desde esta línea no es {encoding}. Corrige --encoding',
  'the file begins with the mark of {marked}, so it is not {encoding}. {part}':
    'el archivo empieza con la marca de {marked}, así que no es {encoding}. {part:text}',
  'Use --encoding {marked}': 'Usa --encoding {marked}',
  'the file is an Excel workbook or a ZIP archive. In Excel, save the sheet as “CSV UTF-8”':
    'el archivo es un libro de Excel o un archivo ZIP. En Excel, guarda la hoja como «CSV UTF-8»',
  'the file is an old Excel workbook. In Excel, save the sheet as “CSV UTF-8”':
    'el archivo es un libro antiguo de Excel. En Excel, guarda la hoja como «CSV UTF-8»',
  'the file is compressed (gzip). Decompress it in a pipe: gunzip -c FILE | bnpl … --from -':
    'el archivo está comprimido (gzip). Descomprímelo en una tubería: gunzip -c FILE | bnpl … --from -',
  'the file is compressed (zstd). Decompress it first': 'el archivo está comprimido (zstd). Descomprímelo primero',
  'the file is compressed (xz). Decompress it first': 'el archivo está comprimido (xz). Descomprímelo primero',
  'the file is UTF-16. Add --encoding utf-16le, or save it as UTF-8 (in Excel: “CSV UTF-8”)':
    'el archivo es UTF-16. Agrega --encoding utf-16le, o guárdalo como UTF-8 (en Excel: «CSV UTF-8»)',
  'Cancel the loans of {rows} rows?': '¿Anular {rows:el crédito|los créditos} de {rows} {rows:fila|filas}?',
  'it cannot be sent: {problem}': 'no se puede enviar: {problem:text}',
  '--from names two files, and a run reads only one': '--from nombra dos archivos, y una ejecución lee solo uno',
  'Run the command again for the other file.': 'Ejecuta el comando otra vez para el otro archivo.',
  'the loan was already cancelled': 'el crédito ya estaba anulado',
  'a file': 'un archivo',
  'a folder': 'una carpeta',
  'not a regular file': 'no es un archivo normal',
  '{path} already exists and is not a PDF (--force replaces it)':
    '{path} ya existe y no es un PDF (--force lo reemplaza)',
  'the check digit of the RUT is empty. Write it into its column, or write the RUT with its dash, such as 12345678-5':
    'el dígito verificador del RUT está vacío. Escríbelo en su columna, o escribe el RUT con su guion, como 12345678-5',
  'the cell beside the RUT may be its check digit. Write the RUT with its dash, such as 12345678-5, or name the column: --column NAME=dv':
    'la celda junto al RUT puede ser su dígito verificador. Escribe el RUT con su guion, como 12345678-5, o nombra la columna: --column NAME=dv',
  'the column of the check digit contains something else than a digit or K':
    'la columna del dígito verificador contiene algo que no es un dígito ni K',
  'the check digit of the RUT and the column of the check digit contradict each other':
    'el dígito verificador del RUT y la columna del dígito verificador se contradicen',
  'it is not certain whether the last digit of the RUT is its check digit. Write it with its dash, such as 12345678-5':
    'no es seguro si el último dígito del RUT es su dígito verificador. Escríbelo con su guion, como 12345678-5',
  'the field {unusable} of the answers contains no pre-approval id. In the results of this run the id is empty':
    'el campo {unusable} de las respuestas no contiene un id de pre-aprobación. En los resultados de esta ejecución el id queda vacío',
  'the answers have no known field for the pre-approval id (their fields: {part}). In a later run the id is found if you name the field: {context}. In the results of this run the id is empty. To see the fields of its answers, repeat this command with --resume -o ndjson':
    'las respuestas no tienen un campo conocido para el id de pre-aprobación (sus campos: {part}). En una próxima ejecución el id se encuentra si nombras el campo: {context}. En los resultados de esta ejecución queda vacío. Para ver los campos de sus respuestas, repite este comando con --resume -o ndjson',
  'it is not a RUT such as 12345678-5': 'no es un RUT como 12345678-5',
  'the check digit is wrong: for this number it is {expected}':
    'el dígito verificador está mal: para este número es {expected}',
  'entityId is empty, and neither --entity-id nor the profile sets an entity id':
    'entityId está vacío, y ni --entity-id ni el perfil definen un id de entidad',
  'it must be a decimal fraction such as 0.0189, or at most 100%, such as 1.89%':
    'debe ser una fracción decimal como 0.0189, o a lo más 100%, como 1.89%',
  'it must be a date such as 2026-03-01': 'debe ser una fecha como 2026-03-01',
  'with another {kind}': 'con otro {kind:text}',
  'in an unexpected state': 'en un estado no esperado',
  'with an unexpected {words}': 'con un valor no esperado: {words:text}',
  with: 'con',
  'Stopping: waiting at most 10 s for the calls in progress. Press Ctrl-C again to stop at once.':
    'Deteniendo: se espera como máximo 10 s a las llamadas en curso. Presiona Ctrl-C otra vez para detener de inmediato.',
  '{part} left': 'quedan {part}',
  'paused for {pausedMs} (429)': 'en pausa por {pausedMs} (429)',
  '{name} was changed during the run; the results are for the rows that the file had when the run began':
    '{name} cambió durante la ejecución; los resultados son de las filas que el archivo tenía al empezar',
  '{others} of {rows} rows are not as expected: {tally}':
    '{others} de {rows} {rows:fila|filas} no {others:es|son} lo esperado: {tally:list}',
  'only that a loan exists': 'solo que exista un crédito',
  'failed rows: {failedFile}': 'filas fallidas: {failedFile}',
  '{done} of {rows} rows': '{done} de {rows} {rows:fila|filas}',
  'compared: {compared}': 'se comparó: {compared}',
  Rows: 'Filas',
  'Done in earlier runs': 'Hechas en ejecuciones anteriores',
  Compared: 'Comparado',
  Results: 'Resultados',
  'Failed rows': 'Filas fallidas',
  '{part} of {rows} rows failed': '{part:falló|fallaron} {part} de {rows} {rows:fila|filas}',
  'Read the reason in each failed row. Add --failed FILE to write the failed rows to a file that you can run again.':
    'Lee el motivo en cada fila fallida. Agrega --failed FILE para escribir las filas fallidas en un archivo que puedes ejecutar otra vez.',
  'Run the failed rows again with: {again}': 'Ejecuta otra vez las filas fallidas con: {again}',
  'The service would refuse these rows again. The message of each row says why':
    'El servicio rechazaría estas filas otra vez. El mensaje de cada fila dice por qué',
  '{why}. Correct the rows in {failedFile}, then run: {again}':
    '{why:text}. Corrige las filas en {failedFile}, y ejecuta: {again}',
  '{unknown} of {rows} rows were sent, but their outcome is unknown: {ending}':
    'se {unknown:envió|enviaron} {unknown} de {rows} {rows:fila|filas} sin que se conozca su resultado: {ending:text}',
  'Find out whether the service carried out these rows. If it carried out none of them, send all of them again with: {again}':
    'Averigua si el servicio realizó estas filas. Si no realizó ninguna, envíalas todas otra vez con: {again}',
  'line{part} {lines}': 'línea{part} {lines}',
  'Find out whether the service carried out the rows that were sent but not answered{lines}. If it carried out none of them, send all of them again with: {context}':
    'Averigua si el servicio realizó las filas enviadas sin respuesta{lines}. Si no realizó ninguna, envíalas todas otra vez con: {context}',
  '{part} of {rows} rows are done': '{part} de {rows} {rows:fila|filas} {part:está hecha|están hechas}',
  '{failed} failed': '{failed} {failed:falló|fallaron}',
  '{unknown} without a known outcome': '{unknown} sin resultado conocido',
  '{unstored} answered but not noted in the ledger':
    '{unstored} {unstored:respondida pero no anotada|respondidas pero no anotadas} en el registro',
  '{part} were not sent': '{part} no se {part:envió|enviaron}',
  'Continue with the same command and {resume}. That is safe.': 'Sigue con el mismo comando y {resume}. Es seguro.',
  'Continue with the same command and {resume}, which is safe. Add --timeout 60s to wait longer.':
    'Sigue con el mismo comando y {resume}: es seguro. Agrega --timeout 60s para esperar más.',
  'Continue with the same command and {resume}.': 'Sigue con el mismo comando y {resume}.',
  'Then continue with the same command and {resume}.': 'Luego sigue con el mismo comando y {resume}.',
  'this row': 'esta fila',
  '{unstored} rows': '{unstored} filas',
  'these rows': 'estas filas',
  '--resume will report {these} as unknown. Do not send {part} again with --retry-unknown, because the service has already answered {part2}.':
    '--resume informará {these:text} como desconocidas. No envíes {part:text} otra vez con --retry-unknown, porque el servicio ya respondió {part2:text}.',
  it: 'esa',
  them: 'esas',
  'The {result} of {rows} could not be stored. {without}':
    'No se pudo guardar: {result:text} de {rows:text}. {without:text}',
  'the output of this run': 'la salida de esta ejecución',
  'Keep that output': 'Guarda esa salida',
  'Copy that file before you continue, because --resume replaces it':
    'Copia ese archivo antes de seguir, porque --resume lo reemplaza',
  'The ledger could not note the {result} of {rows}. Only {place} has {part}. {keep}. {without}':
    'El registro no pudo anotar {result:text} de {rows:text}. Solo {place:text} lo tiene. {keep:text}. {without:text}',
  '--resume instead of --restart': '--resume en vez de --restart',
  'Interrupted, because the terminal or session has ended (SIGHUP)':
    'Interrumpida, porque el terminal o la sesión terminó (SIGHUP)',
  Interrupted: 'Interrumpida',
  '{why}: {part}. Continue with the same command and {resume}.':
    '{why:text}: {part:list}. Sigue con el mismo comando y {resume}.',
  'every row is done': 'todas las filas están hechas',
  'Every row is done.': 'Todas las filas están hechas.',
  'The run was stopped: {rows}.': 'La ejecución se detuvo: {rows:list}.',
  'To send only the other rows, use the same command and {resume}.':
    'Para enviar solo las otras filas, usa el mismo comando y {resume}.',
  'Over a file:': 'Sobre un archivo:',
  'run over the rows of this CSV or NDJSON file; `-` for stdin':
    'ejecuta las filas de este archivo CSV o NDJSON; `-` para stdin',
  'read a column of the file as one of the columns below; `theirs=` leaves it unread (repeatable)':
    'lee una columna del archivo como una de las columnas de abajo; `theirs=` la deja sin leer (se puede repetir)',
  'encoding of the file, such as windows-1252 or utf-16le (default: utf-8)':
    'codificación del archivo, como windows-1252 o utf-16le (por defecto: utf-8)',
  'accept ids that look damaged, such as 1,23E+15, #N/A or NULL':
    'acepta ids que parecen dañados, como 1,23E+15, #N/A o NULL',
  'leave out rows of totals': 'omite filas de totales',
  'write results to this .csv, .ndjson or .json file (default: stdout)':
    'escribe los resultados en este archivo .csv, .ndjson o .json (por defecto: stdout)',
  'overwrite existing files': 'reemplaza archivos que existen',
  'write the failed rows to this file, which you can run again (default: in the folder of --out)':
    'escribe las filas fallidas en este archivo, que puedes ejecutar otra vez (por defecto: en la carpeta de --out)',
  'make this many calls at a time (default: 8)': 'hace esta cantidad de llamadas a la vez (por defecto: 8)',
  'make at most this many calls a second, such as 50/s':
    'hace como máximo esta cantidad de llamadas por segundo, como 50/s',
  'continue an earlier run; rows with a final answer are not sent again':
    'sigue una ejecución anterior; las filas con respuesta final no se envían otra vez',
  'ignore an earlier run and send every row': 'ignora una ejecución anterior y envía todas las filas',
  'do not escape formulas in CSV cells': 'no escapa fórmulas en celdas CSV',
  'write CSV for Excel in Spanish: semicolons, decimal commas, a byte order mark':
    'escribe CSV para Excel en español: punto y coma, coma decimal, marca de orden de bytes',
  'also send again the rows whose outcome is unknown': 'envía también otra vez las filas cuyo resultado es desconocido',
  'write a JUnit report of a run over a file': 'escribe un reporte JUnit de una ejecución sobre un archivo',
  '{alone} is only for a run over a file': '{alone} es solo para una ejecución sobre un archivo',
  'its values come from the rows of the file': 'sus valores vienen de las filas del archivo',
  'a run over a file verifies each row once and does not wait':
    'una ejecución sobre un archivo verifica cada fila una vez y no espera',
  'a run over a file gets the link of each report from the service':
    'una ejecución sobre un archivo obtiene del servicio el enlace de cada informe',
  '{again} and --restart cannot be used together: {again2} continues an earlier run, --restart ignores it':
    '{again} y --restart no se pueden usar juntas: {again2} sigue una ejecución anterior, --restart la ignora',
  '--csv-excel is only for CSV results, but the results are {form}':
    '--csv-excel es solo para resultados CSV, pero los resultados son {form}',
  'Remove --csv-excel, or name a .csv file with --out.': 'Quita --csv-excel, o nombra un archivo .csv con --out.',
  'Use a name such as utf-8, windows-1252, latin1 (iso-8859-1), utf-16le or utf-16be.':
    'Usa un nombre como utf-8, windows-1252, latin1 (iso-8859-1), utf-16le o utf-16be.',
  '-o table cannot show the rows of a file, because a table needs all rows before its first line can be printed':
    '-o table no puede mostrar las filas de un archivo, porque una tabla necesita todas las filas antes de imprimir su primera línea',
  'Use -o csv, -o ndjson or -o json. Or add --out FILE for the rows; then the table shows a summary.':
    'Usa -o csv, -o ndjson u -o json. O agrega --out FILE para las filas; entonces la tabla muestra un resumen.',
  'the name of {out} does not end in a known format': 'el nombre de {out} no termina en un formato conocido',
  'Use a name that ends in .csv, .ndjson or .json, or add -o csv or -o ndjson.':
    'Usa un nombre que termine en .csv, .ndjson o .json, o agrega -o csv u -o ndjson.',
  'Write the rate as 50/s or 300/min.': 'Escribe el ritmo como 50/s o 300/min.',
  'send {rows} {things}': 'enviar {rows} {things:text}',
  'the file has no column {part}, which --column names': 'el archivo no tiene una columna {part}, que --column nombra',
  'It has no other columns. Nothing was sent.': 'No tiene otras columnas. No se envió nada.',
  'Its other columns are: {part}. Nothing was sent.': 'Sus otras columnas son: {part}. No se envió nada.',
  'and {part} more': 'y {part} más',
  'The results leave out the column {columns}, because results never contain national ids.':
    'Los resultados omiten la columna {columns}, porque nunca contienen RUT.',
  'The results leave out the columns {columns}{more}, because results never contain national ids.':
    'Los resultados omiten las columnas {columns}{more:text}, porque nunca contienen RUT.',
  '{name} has too many different fields for CSV results, in which every field is a column':
    '{name} tiene demasiados campos distintos para resultados CSV, en los que cada campo es una columna',
  'Write the results as NDJSON, with -o ndjson or with --out and a name that ends in .ndjson. Nothing was sent.':
    'Escribe los resultados como NDJSON, con -o ndjson o con --out y un nombre que termine en .ndjson. No se envió nada.',
  '1 row was': '1 fila',
  '{known} rows were': '{known} filas',
  'the other row': 'la otra fila',
  'the other {part} rows': 'las otras {part} filas',
  '{rowsWere} sent by the run of {startedAt} and {are} not sent again; sending {otherRows}':
    '{rowsWere:text} ya enviadas por la ejecución de {startedAt}, que no se envían otra vez; se envían {otherRows:text}',
  'The service allows {burst} calls in {ms}, so the run makes no more. --rate sets another rate.':
    'El servicio permite {burst} llamadas en {ms}, así que la ejecución no hace más. --rate define otro ritmo.',
  'The service says that it allows no more calls for {part} s, so all calls wait.':
    'El servicio dice que no permite más llamadas por {part} s, así que todas las llamadas esperan.',
  '. Further waits since the last note: {unnoted}. Use --rate to send fewer calls a second':
    '. Otras esperas desde la última nota: {unnoted}. Usa --rate para enviar menos llamadas por segundo',
  'status 429 (too many requests): all calls wait {seconds} s{often}':
    'estado 429 (demasiadas llamadas): todas las llamadas esperan {seconds} s{often:text}',
  'the failed rows would overwrite {taken} ({failedPath})': 'las filas fallidas reemplazarían {taken} ({failedPath})',
  'Name another file for the failed rows with --failed.': 'Nombra otro archivo para las filas fallidas con --failed.',
  'this transaction has no loan': 'esta transacción no tiene crédito',
  'the answer is about {answeredExternalTrxId}': 'la respuesta es sobre {answeredExternalTrxId}',
  '(only upper and lower case differ)': '(solo difieren mayúsculas y minúsculas)',
  'the local history could not be written ({error})': 'no se pudo escribir el historial local ({error:text})',
  '{more} more transactions': '{more} transacciones más',
  'Name the file with --from.': 'Nombra el archivo con --from.',
  '{other} and --from cannot be used together': '{other} y --from no se pueden usar juntas',
  'Remove {other}, because {part}.': 'Quita {other}, porque {part:text}.',
  'Left out as a row of totals: line {part}.': 'Se omite una fila de totales: línea {part}.',
  'Left out as rows of totals: lines {part}.': 'Se omiten filas de totales: líneas {part:names}.',
  '{name} has {said}; nothing was sent': '{name} tiene {said:text}; no se envió nada',
  'Correct the file, then run the command again.': 'Corrige el archivo y ejecuta el comando de nuevo.',
}
