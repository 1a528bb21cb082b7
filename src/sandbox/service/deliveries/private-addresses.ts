import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks to which no delivery may be sent. Otherwise a destination could be a service in the private network of this machine. */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  // Addresses in these first five networks contain an IPv4 address, to which a gateway or an old system may forward the connection
  // (IPv4-compatible, NAT64, Teredo, 6to4).
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv6')
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Returns whether a delivery may connect to an IP address.
 * @param allowLoopback whether addresses of this machine are allowed (`--allow-http`)
 */
export function mayConnect(address: string, allowLoopback: boolean): boolean {
  // A BlockList applies its IPv4 rules also to IPv4 addresses that are written as IPv6 (::ffff:10.0.0.1).
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0) return false
  if (LOOPBACK.check(address, family)) return allowLoopback
  return !PRIVATE.check(address, family)
}

/** Thrown when a name resolves to a private address. */
export class PrivateAddress extends Error {}

/**
 * Returns a resolver that refuses private addresses at the moment of the connection, because the address of a name may have changed since
 * an earlier check.
 * @param resolve the resolver of the system, or of a test
 */
export function guardedLookup(
  allowLoopback: boolean,
  resolve: LookupFunction = systemLookup as LookupFunction,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const allowed = addresses.filter(({ address }) => mayConnect(address, allowLoopback))
      const [first] = allowed
      if (first === undefined) return callback(new PrivateAddress(`${hostname} leads only to private addresses`), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
