import type { JsonValue } from '@bufbuild/protobuf';
import { englishLocalizer } from '../../base/localizer';
import { FleetError } from '../api/errors';
import { type Confirmation, quoteName, toPromptName } from '../confirmations/confirmation';
import type { TextDiagnostic } from '../configChecks/textDiagnostics';
import { createConfigSource, getWireFormat } from '../documents/documentSources';
import { formatJsonProblem } from '../documents/formatJsonProblem';
import { formatSaveRisk } from '../documents/formatSaveRisk';
import { mergeJson } from '../documents/jsonMerge';
import { findJsonProblems } from '../documents/jsonProblems';
import {
  findJsonChanges,
  type JsonChange,
  parseStrictTree,
  presentJson,
  sameJsonValue,
} from '../documents/jsonText';
import type { Fragment, Part } from '../model/entities';
import type { FragmentTarget, PartTarget } from '../model/resourceTarget';
import type { ConfigSubject, PlannedWrite, ToolContext } from './agentTool';
import { countProblems, diagnoseConfig, findConfigRisk } from './checkConfig';
import { DIAGNOSTICS } from './configTools';
import { REDACTED, type SecretRedactor } from './redactSecrets';
import { MAX_ROWS } from './toolAnswer';
import { flag, list, object, text, type ValueOf } from './toolSchema';
import { showInvisible } from './untrustedText';

/** Schema for the answer of a tool that proposes a config. */
export const PROPOSAL = object({
  isSaved: flag(
    'False if the proposal is open in an editor with unsaved changes, which a person reviews and saves.',
  ),
  name: text('Name of the part or fragment.'),
  changes: list(text(), 'Changed paths.'),
  effects: text('Effects of saving the proposal, as the editor describes them.'),
  isValid: flag('True if there are no errors and warnings.'),
  diagnostics: DIAGNOSTICS,
});

type Proposal = ValueOf<typeof PROPOSAL>;

const NOT_SAVED =
  'Nothing was saved. The proposal is open in the editor with its differences, and a person decides whether to save it.';
const SAVED = 'A person agreed, and the proposal was saved.';

/** Change of a saved config that isn't valid JSON. */
const WHOLE_CONFIG: JsonChange = {
  kind: 'changed',
  path: [],
  before: undefined,
  after: undefined,
};

/** Maximum number of changed paths in a question. */
const MAX_PATHS = 20;
/** Maximum length of a value in a question in characters. */
const MAX_VALUE_LENGTH = 60;
/** Length of the lines with values in characters, after which a question has only paths. */
const MAX_VALUES_LENGTH = 1_500;

/** Config of a part or a fragment, and the text that replaces it. */
export interface DocumentPlan {
  readonly target: PartTarget | FragmentTarget;
  /** Current state, which has just been read. */
  readonly current: Pick<Part | Fragment, 'configText' | 'lastUpdated' | 'name'>;
  /** Number of other parts that use the fragment; 0 for a part. */
  readonly partCount: number;
  /** Complete new text. */
  readonly text: string;
  /** Lines that describe the change in a question, before the changed paths. */
  readonly summary?: readonly string[];
}

/**
 * Prepares a proposal for a config: checks it, and describes what saving it would change.
 *
 * @throws FleetError `invalid` if the text can't be saved or changes nothing
 */
export async function planDocument(
  { target, current, partCount, text: proposed, summary = [] }: DocumentPlan,
  context: ToolContext,
): Promise<PlannedWrite<Proposal>> {
  const { stores } = context;
  const isFragment = target.kind === 'fragment';
  const subject: ConfigSubject = isFragment
    ? { type: 'fragmentConfig', id: target.fragmentId }
    : { type: 'partConfig', id: target.partId };
  const [problem] = findJsonProblems(proposed, getWireFormat(subject));
  if (problem) {
    throw new FleetError(
      'invalid',
      `The config can't be saved: ${formatJsonProblem(problem, englishLocalizer)}`,
    );
  }
  const saved = presentJson(current.configText);
  const changes = findJsonChanges(saved, proposed) ?? [WHOLE_CONFIG];
  if (changes.length === 0) {
    throw new FleetError('invalid', 'The proposed config has the same values as the saved one.');
  }
  const fragmentId = isFragment ? target.fragmentId : undefined;
  const checked = { text: proposed, isFragment, fragmentId };
  const diagnostics = await diagnoseConfig(checked, context);
  const risk = await findConfigRisk(saved, { ...checked, partCount }, context);
  const effects = formatSaveRisk(risk, englishLocalizer);
  const result: Proposal = {
    isSaved: false,
    name: target.name,
    changes: changes.slice(0, MAX_ROWS).map(formatChange),
    effects,
    isValid: countProblems(diagnostics) === 0,
    diagnostics,
  };
  return {
    targets: [target],
    confirmation: await confirmSave(
      target,
      {
        summary,
        changes: formatChanges(changes, [saved, proposed], context.redactor),
        effects,
        diagnostics,
      },
      stores,
    ),
    proposal: { document: { subject, text: proposed }, result: { data: result, note: NOT_SAVED } },
    apply: async (context) => {
      await save(context, subject, current, proposed);
      return { data: { ...result, isSaved: true }, note: SAVED };
    },
  };
}

/** Returns the question of programs without an editor, which are in English. */
async function confirmSave(
  target: PartTarget | FragmentTarget,
  {
    summary,
    changes,
    effects,
    diagnostics,
  }: {
    readonly summary: readonly string[];
    readonly changes: readonly string[];
    readonly effects: string;
    readonly diagnostics: readonly TextDiagnostic[];
  },
  stores: ToolContext['stores'],
): Promise<Confirmation> {
  const { name: owner } = await stores.organizations.get(target.organizationId);
  const name = quoteName(target.name);
  const subject =
    target.kind === 'part'
      ? `the config of the part ${name} of the machine ${quoteName(target.machineName)}`
      : `the config of the fragment ${name}`;
  const more = changes.length - MAX_PATHS;
  return {
    question: `Save ${subject} in the organization ${quoteName(owner)}?`,
    detail: [
      ...summary,
      changes.length === 1 ? '1 change:' : `${changes.length} changes:`,
      ...changes.slice(0, MAX_PATHS),
      ...(more > 0 ? [`- and ${more} more`] : []),
      effects,
      `Errors and warnings of the new config: ${countProblems(diagnostics)}.`,
    ].join('\n'),
    action: 'Save',
  };
}

/**
 * Formats changes for a question, with the values before and after. Values that are secrets are
 * omitted, because they are equal in the redacted configs, and so are values after the first ones.
 */
function formatChanges(
  changes: readonly JsonChange[],
  configs: readonly [saved: string, proposed: string],
  redactor: SecretRedactor,
): readonly string[] {
  const [saved, proposed] = configs.map((text) => redactor.redactDocument(text));
  const visible = new Map(
    findJsonChanges(saved ?? '', proposed ?? '')?.map((change) => [
      JSON.stringify(change.path),
      change,
    ]),
  );
  let length = 0;
  return changes.map((change) => {
    const { kind, before, after } = visible.get(JSON.stringify(change.path)) ?? {};
    const line = `- ${toPromptName(formatChange(change))}`;
    if (length > MAX_VALUES_LENGTH || after === undefined || kind !== change.kind) return line;
    const value =
      before === undefined ? formatValue(after) : `${formatValue(before)} → ${formatValue(after)}`;
    const complete = `${line}: ${value}`;
    length += complete.length;
    return complete;
  });
}

/** Formats JSON for a question on one line, with the length of a text that is shortened. */
function formatValue(json: string): string {
  const text = JSON.stringify(JSON.parse(json));
  if (text.length <= MAX_VALUE_LENGTH) return toPromptName(text);
  const start = toPromptName(text.slice(0, MAX_VALUE_LENGTH).replace(/[\ud800-\udbff]$/, ''));
  return `${start}… (${text.length} characters)`;
}

function formatChange({ kind, path }: JsonChange): string {
  return `${kind} ${path.join('.') || 'the whole config'}`;
}

/**
 * Saves a config unless it was changed since it was read. Reads it again before the write,
 * because a service can ignore the version in the request, and checks the response, as the editor
 * does.
 *
 * @throws FleetError `conflict` if the config was changed
 */
async function save(
  { stores, signal }: ToolContext,
  subject: ConfigSubject,
  { configText, lastUpdated }: DocumentPlan['current'],
  proposed: string,
): Promise<void> {
  const source = createConfigSource(stores, subject);
  const { text, version, name } = await source.read(signal);
  if (version !== lastUpdated || text !== configText) throw createConflictError();
  const stored = await source.write({ text: proposed, name, lastKnownVersion: version });
  if (stored && sameJsonValue(stored.text, proposed)) return;
  throw new FleetError(
    'internal',
    'The service accepted the config but stored different content. Read it to see what it stored.',
  );
}

/** Returns the error for a proposal that isn't based on the current config. */
export function createConflictError(): FleetError {
  return new FleetError(
    'conflict',
    'The config was changed after you read it, so nothing was changed. Read it again, and apply your change to the new config.',
  );
}

/**
 * Replaces the placeholders in a proposed config with the values of the saved config, because agents
 * see neither secrets nor invisible characters.
 *
 * @throws FleetError `invalid` if the text isn't valid JSON, if it has a placeholder where the saved
 *   config has no redacted value, or if the agent could read a secret in the result, for example after
 *   a change of the name beside it
 */
export function restoreRedacted(
  savedText: string,
  proposed: string,
  redactor: SecretRedactor,
): string {
  const saved = presentJson(savedText);
  const visible = showInvisible(redactor.redactDocument(saved));
  const hasHidden = visible !== saved;
  // `planDocument` reports the position of the error.
  if (!hasHidden && !parseStrictTree(proposed)) return proposed;
  const sides = { base: visible, mine: saved, theirs: proposed };
  const text = hasHidden ? mergeJson(sides, () => 'theirs')?.text : proposed;
  if (text === undefined || !parseStrictTree(text)) {
    throw new FleetError('invalid', "The proposed config isn't valid JSON.");
  }
  const wrong = findJsonChanges(saved, text)?.find(({ path, after }) =>
    // Escapes can hide the placeholder in the text, and a repeated key in the value.
    [...path, after, after && JSON.parse(after)].some(hasPlaceholder),
  );
  if (wrong) {
    throw new FleetError(
      'invalid',
      `The config has the text ${REDACTED} at ${wrong.path.join('.')}, where the saved config has no such value. A person must enter secrets.`,
    );
  }
  if (hasHidden) requireHidden(text, [visible, proposed], redactor);
  return text;
}

/** Returns true if a text in a value, or a name of a member, has a placeholder. */
function hasPlaceholder(value: unknown): boolean {
  return value !== undefined && JSON.stringify(value).includes(REDACTED);
}

/**
 * Checks that an agent that reads a config sees only what it already knows.
 *
 * @param known texts that the agent has read or written
 */
function requireHidden(config: string, known: readonly string[], redactor: SecretRedactor): void {
  const read = (text: string): readonly string[] =>
    listValues(JSON.parse(showInvisible(redactor.redactDocument(text))) as JsonValue);
  const values = new Set(
    known.flatMap((text) => [...read(text), ...listValues(JSON.parse(text) as JsonValue)]),
  );
  if (read(config).every((value) => values.has(value))) return;
  throw new FleetError(
    'invalid',
    `The proposed config would make a ${REDACTED} value readable. Leave the names beside it as they are. A person must enter secrets in other places.`,
  );
}

/** Returns the values in a JSON value that aren't lists or objects, as JSON. */
function listValues(value: JsonValue): readonly string[] {
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  return Object.values(value).flatMap(listValues);
}
