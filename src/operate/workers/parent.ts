import cluster from "node:cluster";
import type { Connections, Failed, Notice, Ready, Room, Start } from "./messages.ts";
import { linkTo } from "./messages.ts";

export type Parent = ReturnType<typeof joinParent>;

/** The parent, as a worker sees it. Node ends a worker whose parent is gone. */
export function joinParent() {
  const channel = linkTo(process);
  const disk: Omit<Room, "kind"> = { hasRoom: true, freeBytes: undefined };
  const [leaving, stopping] = [new AbortController(), new AbortController()];
  const first = <M extends Start | Connections>(kind: M["kind"]) =>
    new Promise<M>((resolve) => channel.onMessage<M>(kind, resolve));
  channel.onMessage<Room>("disk", ({ hasRoom, freeBytes }) => Object.assign(disk, { hasRoom, freeBytes }));
  channel.onMessage<Notice>("leave", () => leaving.abort());
  channel.onMessage<Notice>("stop", () => stopping.abort());
  const [started, opening] = [first<Start>("start"), first<Connections>("engine")];
  channel.send<Notice>({ kind: "joined" });
  return {
    channel,
    disk,
    started,
    engine: { opening },
    /** Aborted when the whole server stops. */
    leaving: leaving.signal,
    stopping: stopping.signal,
    tellReady: (ready: Omit<Ready, "kind">) => channel.send<Ready>({ kind: "ready", ...ready }),
    tellWaiting: () => channel.send<Notice>({ kind: "waiting" }),
    tellFailure: (sentence: string) => channel.send<Failed>({ kind: "failed", sentence }),
    leave: () => void cluster.worker?.disconnect(),
  };
}
