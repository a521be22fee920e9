/** `kind` names the part of the program that reads the message. */
export interface Message {
  kind: string;
}

/**
 * The link between a server's parent process and one of its workers, at either end. Messages are JSON and arrive in
 * order, unless the other process is gone.
 */
export interface Channel {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a literal may have more than Message names
  send<M extends Message>(message: M): void;
  /** Returns how to stop listening. */
  onMessage<M extends Message>(kind: M["kind"], listener: (message: M) => void): () => void;
  /** Aborted when the other process is gone. */
  closed: AbortSignal;
}
