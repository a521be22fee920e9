/** The address, or the /64 of an IPv6 address: one client has all of it. */
export function networkOf(address: string): string {
  const v4 = ipv4Of(address);
  return v4 ?? `${groupsOf(address).slice(0, 4).join(":")}::/64`;
}

/** A network that names a place, and no client: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function coarseNetworkOf(address: string): string {
  const v4 = ipv4Of(address);
  if (v4 !== undefined) return v4.replace(/\d+$/, "0/24");
  return `${groupsOf(address).slice(0, 3).join(":")}::/48`;
}

function ipv4Of(address: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? (address.includes(":") ? undefined : address);
}

function groupsOf(address: string): string[] {
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16).toString(16));
}
