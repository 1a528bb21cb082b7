-- Makes signed deliveries for wrk, each with a new eventId. The signature is the HMAC-SHA256 of the body in hex, by wrk's own libcrypto.
local ffi = require('ffi')
ffi.cdef [[
  const void *EVP_sha256(void);
  unsigned char *HMAC(const void *md, const void *key, int key_len, const unsigned char *d, size_t n, unsigned char *out, unsigned int *len);
]]
local crypto = ffi.load('crypto.so.3')
local md = crypto.EVP_sha256()
local out = ffi.new('unsigned char[32]')
local hex = {}
for i = 0, 255 do hex[i] = string.format('%02x', i) end
local secret, run, path, filler, count, parts, headers, started, ordered

function init(args)
  secret, run, path, started, ordered = args[1], args[2], args[3], tonumber(args[5]), args[6] == 'ordered'
  filler = string.rep('x', tonumber(args[4]))
  math.randomseed(started)
  count, parts = 0, {}
  headers = { ['Content-Type'] = 'application/json' }
end

-- Returns a UUID of version 7, which begins with the time in ms, or a UUID that begins with a random number.
local function eventId()
  local ms = ordered and started + math.floor(count / 16) or math.random(0, 2 ^ 48 - 1)
  return string.format('%08x-%04x-7%03x-8000-%s%06x', math.floor(ms / 65536), ms % 65536, count % 4096, run, count)
end

function request()
  count = count + 1
  local body = string.format('{"eventId":"%s","data":{"loanAmount":250000,"note":"%s"}}', eventId(), filler)
  crypto.HMAC(md, secret, #secret, body, #body, out, nil)
  for i = 0, 31 do parts[i + 1] = hex[out[i]] end
  headers['service-signature'] = table.concat(parts)
  return wrk.format('POST', path, headers, body)
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"p999":%d,"max":%d,"bad":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max,
    summary.errors.status, summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
