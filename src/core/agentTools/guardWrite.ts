import { FleetError } from '../api/errors';
import { type Confirmation, quoteName } from '../confirmations/confirmation';
import { targetId } from '../model/resourceTarget';
import { findMissingRole } from '../stores/findMissingRole';
import type {
  Decision,
  ExportTool,
  PlannedWrite,
  ToolContext,
  ToolResult,
  WriteAccess,
  WriteTool,
} from './agentTool';
import { showInvisible } from './untrustedText';

/** Parts of a tool, within its time. */
interface GuardedTool {
  /** Text that identifies the tool and its input. */
  readonly call: string;
  readonly plan: () => Promise<PlannedWrite<unknown>>;
  readonly run: (apply: PlannedWrite<unknown>['apply']) => Promise<ToolResult<unknown>>;
}

/** Maximum lengths of a question and of its details in characters. */
const MAX_QUESTION_LENGTH = 1_000;
const MAX_DETAIL_LENGTH = 4_000;

/**
 * The only path from a tool to a change. Checks that the user allows agents to change something
 * through the connection, that the connection isn't read-only, and that the key has the right on
 * each resource. Then prompts a person, or opens the proposal in an editor, where a person saves it.
 * If the effects change while the prompt is open, prompts the person again.
 *
 * @throws FleetError `permission` if a check fails or the person declines
 */
export async function guardWrite(
  tool: WriteTool,
  context: ToolContext,
  { call, plan, run }: GuardedTool,
): Promise<ToolResult<unknown>> {
  const { signal, questions } = context;
  const writes = requireWriteAccess(context);
  questions.requireAllowed(call);
  let planned = await plan();
  for (;;) {
    const { targets, confirmation, proposal } = planned;
    await requireRight(tool, targets, context);
    signal.throwIfAborted();
    const decision = await questions.prompt(call, signal, () =>
      proposal && writes.propose
        ? writes.propose(proposal.document, signal)
        : writes.confirm(toSafeConfirmation(confirmation), signal),
    );
    if (decision === 'declined') questions.addDeclined(call);
    requireConsent(decision, tool);
    if (proposal && writes.propose) return proposal.result;
    signal.throwIfAborted();
    // The answer can take long, and the setting or the connection can have changed in the meantime.
    writes.requireAllowed();
    if (!writes.waitsForAnswer) break;
    planned = await plan();
    if (JSON.stringify(planned.confirmation) === JSON.stringify(confirmation)) break;
    // The person agreed to other effects.
  }
  // The setting can have changed while the change was prepared again.
  writes.requireAllowed();
  return run(planned.apply);
}

/**
 * Prompts a person before an export, with the same limits as before a change.
 *
 * @param call text that identifies the tool and its input
 * @throws FleetError `permission` if the person declines
 */
export async function guardExport(
  tool: ExportTool,
  input: never,
  call: string,
  context: ToolContext,
): Promise<void> {
  const { confirmExport, questions, signal } = context;
  if (!confirmExport) return;
  const confirmation = toSafeConfirmation(tool.confirm(input, context));
  const decision = await questions.prompt(call, signal, () => confirmExport(confirmation, signal));
  if (decision !== 'accepted') {
    questions.addDeclined(call);
    throw new FleetError(
      'permission',
      "A person declined the export, so no file was written. Don't request it again unless the user asks for it.",
    );
  }
  signal.throwIfAborted();
}

/** @throws FleetError `permission` if the key doesn't have the right on a target */
async function requireRight(
  { right }: WriteTool,
  targets: PlannedWrite<unknown>['targets'],
  { stores }: ToolContext,
): Promise<void> {
  // Roles can have changed since the last call.
  stores.access.clear();
  for (const target of targets) {
    const missing = await findMissingRole(stores, target, right, true);
    if (missing) {
      const resource = quoteName(target.name || targetId(target));
      throw new FleetError(
        'permission',
        `The API key can't change ${resource}. It needs the role ${missing.name} on the ${missing.resourceType} ${missing.resourceId}. An owner can add the role.`,
      );
    }
  }
}

/** @throws FleetError if the person hasn't agreed */
function requireConsent(decision: Decision, { name }: WriteTool): void {
  if (decision === 'pending') {
    throw new FleetError('canceled', `${name} waits for the answer of a person.`);
  }
  if (decision !== 'accepted') {
    throw new FleetError(
      'permission',
      "A person declined the change, so nothing was changed. Don't request it again unless the user asks for it.",
    );
  }
}

/**
 * Returns the means to change something.
 * @throws FleetError `permission` if there are none or if they aren't allowed at the moment
 */
export function requireWriteAccess({ writes }: Pick<ToolContext, 'writes'>): WriteAccess {
  if (!writes) {
    throw new FleetError('permission', 'Agents can only read through this connection.');
  }
  writes.requireAllowed();
  return writes;
}

/**
 * Makes invisible characters visible, because names in questions come from the fleet.
 *
 * @throws FleetError `invalid` if a text is too long, because a person would agree to what a shortened
 *   text doesn't show
 */
function toSafeConfirmation({ question, detail, action }: Confirmation): Confirmation {
  const safe = { question: showInvisible(question), detail: showInvisible(detail), action };
  if (safe.question.length <= MAX_QUESTION_LENGTH && safe.detail.length <= MAX_DETAIL_LENGTH) {
    return safe;
  }
  throw new FleetError(
    'invalid',
    'The change is too large for a question to a person. Divide it into smaller changes.',
  );
}
