import type { Clock } from '../../base/clock';
import type { Confirmation } from '../confirmations/confirmation';
import type { DocumentSubject } from '../documents/documentAddress';
import type { ConnectionId } from '../model/ids';
import type { Permission, Right } from '../model/permissions';
import type { ResourceTarget } from '../model/resourceTarget';
import type { FleetStores } from '../stores/fleetStores';
import type { QuestionLimits } from './questionLimits';
import type { SecretRedactor } from './redactSecrets';
import type { ObjectSchema, ValueOf } from './toolSchema';
import type { StoredResults } from './storedResults';
import type { ToolWorkspace } from './toolWorkspace';

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
  /** Sentence of ours about the outcome, without data from the fleet. */
  readonly note?: string | undefined;
}

/** Answer of a person; `pending` if the question was sent and the call will be repeated. */
export type Decision = 'accepted' | 'declined' | 'pending';

/** Config of a part or a fragment. */
export type ConfigSubject = Extract<
  DocumentSubject,
  { readonly type: 'partConfig' | 'fragmentConfig' }
>;

/** Config that a tool proposes. Nothing has been saved. */
export interface ProposedDocument {
  readonly subject: ConfigSubject;
  readonly text: string;
}

/** Means by which tools change something. Each way to call tools has its own. */
export interface WriteAccess {
  /**
   * Throws if agents can't change anything through the connection at the moment.
   * @throws FleetError `permission`
   */
  readonly requireAllowed: () => void;
  /**
   * True if `confirm` waits for the answer, so that the change must be prepared again afterwards;
   * false if the whole call is repeated with the answer.
   */
  readonly waitsForAnswer: boolean;
  /** Prompts a person. Resolves to `declined` if the person dismisses the question. */
  readonly confirm: (confirmation: Confirmation, signal: AbortSignal) => Promise<Decision>;
  /**
   * Opens a proposal in an editor with unsaved changes, which a person reviews and saves. Absent
   * without an editor, where a proposal is saved after a confirmation.
   */
  readonly propose?: (document: ProposedDocument, signal: AbortSignal) => Promise<Decision>;
}

/** Connection for which tools run, shared by all calls. */
export interface ToolSession {
  readonly stores: FleetStores;
  readonly connectionId: ConnectionId;
  /** Name of the connection in answers, outside of the fence: nothing that the fleet can change. */
  readonly connectionLabel: string;
  readonly clock: Clock;
  /** Returns the secrets of the connection, which no answer can contain. */
  readonly getSecrets: () => Promise<readonly string[]>;
  readonly results: StoredResults;
  /** Returns random text that authors of untrusted data can't predict. */
  readonly createId: () => string;
  /** Returns a signal that aborts after a number of milliseconds. */
  readonly createTimeout: (milliseconds: number) => AbortSignal;
  /** Means to change something; undefined if all tools only read. */
  readonly writes: WriteAccess | undefined;
  /**
   * Prompts a person before an export, whose file has values that answers redact. Undefined if the person
   * has allowed all exports by naming a folder for them.
   */
  readonly confirmExport:
    | ((confirmation: Confirmation, signal: AbortSignal) => Promise<Decision>)
    | undefined;
  /** Limits for questions to the person, shared by all connections. */
  readonly questions: QuestionLimits;
  /** Files that tools can use; undefined if there are none. */
  readonly workspace: ToolWorkspace | undefined;
}

/** Session, and what belongs to one call. */
export interface ToolContext extends ToolSession {
  /** Aborts when the caller cancels or the tool's time is over. */
  readonly signal: AbortSignal;
  readonly reportProgress: (done: number, total: number | undefined) => void;
  /** Redacts the same secrets as in the answers. */
  readonly redactor: SecretRedactor;
}

/** Change that a tool has prepared by reading only, which a person must confirm. */
export interface PlannedWrite<Data> {
  /** Resources on which the key needs the tool's right. */
  readonly targets: readonly ResourceTarget[];
  readonly confirmation: Confirmation;
  /** Config to open in an editor instead, if there is one, and the answer in that case. */
  readonly proposal?: { readonly document: ProposedDocument; readonly result: ToolResult<Data> };
  /** Makes the change. Only `guardWrite` calls it, after a person has agreed. */
  readonly apply: (context: ToolContext) => Promise<ToolResult<Data>>;
}

interface ToolBase {
  /** Name that starts with `fleetwright_`. */
  readonly name: string;
  /** Title for people, also in package.nls.json. */
  readonly title: string;
  /** Description for models, with the tool's limits. Not translated. */
  readonly description: string;
  readonly input: ObjectSchema;
  /** Schema for the data of the answer, all of which is untrusted. */
  readonly output: ObjectSchema;
  /** Member of the answer whose items are rows. */
  readonly rows: string | undefined;
  /** Maximum duration of a call in milliseconds, without the time for a person's answer. */
  readonly timeoutMs: number;
  /** True for a tool that reads or writes files in the workspace, and isn't listed without one. */
  readonly usesWorkspace: boolean;
}

interface ReadBase extends ToolBase {
  /**
   * Permission that the API key needs on at least one resource; undefined for tools that only need
   * to read the resource itself. Tools that the key can't use are not listed.
   */
  readonly permission: Permission | undefined;
  /** Reads the data. Its input has been checked against `input`. */
  readonly run: (input: never, context: ToolContext) => Promise<ToolResult<unknown>>;
}

/** Tool that only reads. */
export interface ReadTool extends ReadBase {
  readonly operation: 'read';
}

/**
 * Tool that changes nothing in the fleet, but writes what it has read to a new file in the workspace,
 * after a person has agreed.
 */
export interface ExportTool extends ReadBase {
  readonly operation: 'export';
  /** Returns the question before the export. Its input has been checked against `input`. */
  readonly confirm: (input: never, context: ToolContext) => Confirmation;
}

/** Tool that changes something after a person has agreed. */
export interface WriteTool extends ToolBase {
  readonly operation: 'write';
  /** Permission that the API key needs on at least one resource, as for `ReadTool`. */
  readonly permission: Permission;
  /** Right that the API key needs on each resource that the tool changes. */
  readonly right: Right;
  /** Prepares the change by reading only. Its input has been checked against `input`. */
  readonly plan: (input: never, context: ToolContext) => Promise<PlannedWrite<unknown>>;
}

/**
 * Tool for agents, which is independent of VS Code and of the protocol. Operations that delete
 * resources are never offered to agents.
 */
export type AgentTool = ReadTool | ExportTool | WriteTool;

/** Maximum duration of most calls in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** Maximum duration in milliseconds of calls that read many pages or run a query. */
export const LONG_TIMEOUT_MS = 120_000;

interface ToolDefinition<Input extends ObjectSchema, Output extends ObjectSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly rows?: keyof Output['members'] & string;
  readonly timeoutMs?: number;
  readonly usesWorkspace?: boolean;
}

interface ReadDefinition<
  Input extends ObjectSchema,
  Output extends ObjectSchema,
> extends ToolDefinition<Input, Output> {
  readonly permission?: Permission;
  readonly run: (
    input: ValueOf<Input>,
    context: ToolContext,
  ) => Promise<ToolResult<ValueOf<Output>>>;
}

/** Defines a tool that only reads. */
export function readTool<const Input extends ObjectSchema, const Output extends ObjectSchema>(
  definition: ReadDefinition<Input, Output>,
): ReadTool {
  const { permission, rows, timeoutMs = DEFAULT_TIMEOUT_MS, usesWorkspace = false } = definition;
  return { ...definition, operation: 'read', permission, rows, timeoutMs, usesWorkspace };
}

/** Defines a tool that writes what it has read to a new file in the workspace. */
export function exportTool<const Input extends ObjectSchema, const Output extends ObjectSchema>(
  definition: ReadDefinition<Input, Output> & {
    readonly confirm: (input: ValueOf<Input>, context: ToolContext) => Confirmation;
  },
): ExportTool {
  const { confirm } = definition;
  return { ...readTool(definition), operation: 'export', usesWorkspace: true, confirm };
}

/** Defines a tool that changes something after a person has agreed. */
export function writeTool<const Input extends ObjectSchema, const Output extends ObjectSchema>(
  definition: ToolDefinition<Input, Output> & {
    readonly permission: Permission;
    readonly right: Right;
    readonly plan: (
      input: ValueOf<Input>,
      context: ToolContext,
    ) => Promise<PlannedWrite<ValueOf<Output>>>;
  },
): WriteTool {
  const { rows, timeoutMs = LONG_TIMEOUT_MS, usesWorkspace = false } = definition;
  return { ...definition, operation: 'write', rows, timeoutMs, usesWorkspace };
}
