import type { Clock } from '../../base/clock';
import type { ConnectionId } from '../model/ids';
import type { Permission } from '../model/permissions';
import type { FleetStores } from '../stores/fleetStores';
import type { ObjectSchema, ValueOf } from './toolSchema';
import type { StoredResults } from './storedResults';

/** Effect of a tool. Destructive operations are never offered to agents. */
export type ToolOperation = 'read' | 'write' | 'destructive';

/** Image in an answer. */
export interface ToolImage {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Result of a tool before limits, redaction, and fences are applied. */
export interface ToolResult<Data> {
  readonly data: Data;
  /** Total number of rows if it is known and `data` contains fewer. */
  readonly total?: number | undefined;
  readonly image?: ToolImage | undefined;
}

/** Connection for which tools run, shared by all calls. */
export interface ToolSession {
  readonly stores: FleetStores;
  readonly connectionId: ConnectionId;
  /** Name of the connection, as the user knows it. */
  readonly connectionLabel: string;
  readonly clock: Clock;
  /** Returns the secrets of the connection, which no answer can contain. */
  readonly getSecrets: () => Promise<readonly string[]>;
  readonly results: StoredResults;
  /** Returns random text that authors of untrusted data can't predict. */
  readonly createId: () => string;
  /** Returns a signal that aborts after a number of milliseconds. */
  readonly createTimeout: (milliseconds: number) => AbortSignal;
}

/** Session, and what belongs to one call. */
export interface ToolContext extends ToolSession {
  /** Aborts when the caller cancels or the tool's time is over. */
  readonly signal: AbortSignal;
  readonly reportProgress: (done: number, total: number | undefined) => void;
}

/** Tool for agents, which is independent of VS Code and of the protocol. */
export interface AgentTool {
  /** Name that starts with `fleetwright_`. */
  readonly name: string;
  /** Title for people, also in package.nls.json. */
  readonly title: string;
  /** Description for models, with the tool's limits. Not translated. */
  readonly description: string;
  readonly operation: ToolOperation;
  /**
   * Permission that the API key needs on at least one resource; undefined for tools that only need
   * to read the resource itself. Tools that the key can't use are not listed.
   */
  readonly permission: Permission | undefined;
  readonly input: ObjectSchema;
  /** Schema for the data of the answer, all of which is untrusted. */
  readonly output: ObjectSchema;
  /** Member of the answer whose items are rows. */
  readonly rows: string | undefined;
  /** Maximum duration of a call in milliseconds. */
  readonly timeoutMs: number;
  /** Reads the data. Its input has been checked against `input`. */
  readonly run: (input: never, context: ToolContext) => Promise<ToolResult<unknown>>;
}

/** Maximum duration of most calls in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Maximum duration in milliseconds of calls that read many pages or run a query. */
export const LONG_TIMEOUT_MS = 120_000;

interface ToolDefinition<Input extends ObjectSchema, Output extends ObjectSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly permission?: Permission;
  readonly input: Input;
  readonly output: Output;
  readonly rows?: keyof Output['members'] & string;
  readonly timeoutMs?: number;
  readonly run: (
    input: ValueOf<Input>,
    context: ToolContext,
  ) => Promise<ToolResult<ValueOf<Output>>>;
}

/** Defines a tool that only reads. */
export function readTool<const Input extends ObjectSchema, const Output extends ObjectSchema>(
  definition: ToolDefinition<Input, Output>,
): AgentTool {
  const { permission, rows, timeoutMs = DEFAULT_TIMEOUT_MS } = definition;
  return { ...definition, operation: 'read', permission, rows, timeoutMs };
}
