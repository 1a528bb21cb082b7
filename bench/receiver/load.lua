-- Signed deliveries for wrk: each with an eventId of its own, HMAC-SHA256 in hex over the body, by the libcrypto that wrk has loaded.
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
local secret, run, path, size, filler, count, parts, headers

function init(args)
  secret, run, path, size = args[1], args[2], args[3], tonumber(args[4])
  filler = string.rep('x', size)
  count, parts = 0, {}
  headers = { ['Content-Type'] = 'application/json' }
end

function request()
  count = count + 1
  local body = string.format('{"eventId":"%s-%d","data":{"loanAmount":250000,"note":"%s"}}', run, count, filler)
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
