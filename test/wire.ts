import net, { type LookupFunction, type TcpNetConnectOpts } from "node:net";
import { vi } from "vitest";

/**
 * Lets this computer stand for the internet: connections to addresses for which `isHere` holds arrive at the same
 * port of 127.0.0.1, and other public addresses refuse. Returns how to undo it.
 */
export function wire(isHere: (address: string) => boolean): () => void {
  const connect = net.connect.bind(net) as (options: TcpNetConnectOpts) => net.Socket;
  const arrivesAt = (address: string) => {
    if (isOwn(address)) return address;
    return isHere(address) ? "127.0.0.1" : undefined;
  };
  const rewire = ((options: TcpNetConnectOpts) => {
    const { host = "", lookup } = options;
    if (net.isIP(host) === 0)
      return connect({ ...options, ...(lookup && { lookup: through(lookup, arrivesAt) }) });
    const address = arrivesAt(host);
    // Port 0 refuses every connection.
    return connect(address === undefined ? { port: 0, host: "127.0.0.1" } : { ...options, host: address });
  }) as typeof net.connect;
  const spy = vi.spyOn(net, "connect").mockImplementation(rewire);
  return () => spy.mockRestore();
}

function through(lookup: LookupFunction, arrivesAt: (address: string) => string | undefined): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = (found as { address: string }[]).flatMap(({ address }) => arrivesAt(address) ?? []);
      const [first] = addresses;
      if (first === undefined)
        return callback(Object.assign(new Error("nobody"), { code: "ECONNREFUSED" }), []);
      if (!options.all) return callback(null, first, net.isIP(first));
      callback(
        null,
        addresses.map((address) => ({ address, family: net.isIP(address) })),
      );
    });
}

function isOwn(address: string): boolean {
  return (
    address.startsWith("127.") ||
    address === "::1" ||
    address === "::ffff:7f00:1" ||
    address.startsWith("::ffff:127.")
  );
}
