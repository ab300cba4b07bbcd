/**
 * Loaded into the product by NODE_OPTIONS: answers for the names in FAULTS_HOSTS (JSON: name to addresses) as a DNS server
 * of an attacker would; every other name goes to the system.
 */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { isIPv6 } from "node:net";

const hosts = JSON.parse(process.env.FAULTS_HOSTS ?? "{}");
const answer = (name) => hosts[name]?.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));

const { lookup } = dns.promises;
dns.promises.lookup = async (name, options) => {
  const addresses = answer(name);
  if (!addresses) return lookup(name, options);
  return options?.all ? addresses : addresses[0];
};

const lookupWithCallback = dns.lookup;
dns.lookup = (name, ...rest) => {
  const addresses = answer(name);
  const done = rest.at(-1);
  if (!addresses) return lookupWithCallback(name, ...rest);
  if (rest[0]?.all) done(null, addresses);
  else done(null, addresses[0].address, addresses[0].family);
};
syncBuiltinESMExports();
