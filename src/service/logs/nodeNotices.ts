/**
 * Fan-out of notices to the other nodes of a fleet. Each notice arrives at most once, in any order,
 * and can be lost, so nothing can depend on it except latency.
 */
export interface NodeNotices {
  /** Sends a notice to the other nodes. Does nothing without a connection. */
  send(notice: string): Promise<void>;
  close(): Promise<void>;
}

/** Receiver of the notices from other nodes. */
export interface NoticeReceiver {
  receive: (notice: string) => void;
  /** Called when notices can be received again after some could have been lost. */
  resume: () => void;
}
