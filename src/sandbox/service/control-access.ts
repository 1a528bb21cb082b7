/** Where the sandbox is driven: `POST /_sandbox/<action>` with a JSON body and the token in the header below. */
export const CONTROL_PREFIX = '/_sandbox'

/** Names the header that opens control calls. */
export const CONTROL_TOKEN_HEADER = 'x-sandbox-token'
