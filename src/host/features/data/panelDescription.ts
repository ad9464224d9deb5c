import { type ConnectionId, connectionId } from '../../../core/model/ids';
import { isShape, isString } from '../../../shared/guards';

/** Of which connection a data panel is, and what it was opened on. */
export interface DescribedPanel {
  readonly connectionId: ConnectionId;
  /** The name of the resource, for the title. */
  readonly name: string;
}

const isStored = isShape<{ connection: string; name: string }>({
  connection: isString,
  name: isString,
});

/** As text that a webview keeps. */
export function describePanel({ connectionId: connection, name }: DescribedPanel): string {
  return JSON.stringify({ connection, name });
}

/** What a description says; nothing when it is not understood, as one of another version may be. */
export function describedPanel(description: string): DescribedPanel | undefined {
  let stored: unknown;
  try {
    stored = JSON.parse(description);
  } catch {
    return undefined;
  }
  if (!isStored(stored)) return undefined;
  return { connectionId: connectionId(stored.connection), name: stored.name };
}
