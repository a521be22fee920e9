import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Handle, handleOf, stopAccepting } from "../http/connections.ts";

/** Connections that wait in the parent reach a worker in this time. */
const HANDING_OVER_MS = 250;

/**
 * The address that the parent of workers listens on for them. Node's cluster closes it with the last worker, which
 * resets connections that wait there; so it is closed before the workers stop.
 */
export function watchListening() {
  let listening: { handle: Handle; address: ReturnType<Server["address"]> } | undefined;
  subscribe("tracing:net.server.listen:asyncEnd", (message) => {
    const { server } = message as { server: Server };
    const handle = handleOf(server);
    if (handle !== undefined) listening = { handle, address: server.address() };
  });
  return async () => {
    if (listening === undefined) return;
    const { handle, address } = listening;
    let isOpen = true;
    const close = () => ((isOpen = false), handle.close());
    await stopAccepting({ handle, address, isOpen: () => isOpen, close });
    await sleep(HANDING_OVER_MS);
  };
}
