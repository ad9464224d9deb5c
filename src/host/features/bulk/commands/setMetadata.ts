import * as vscode from 'vscode';
import type { JsonValue } from '@bufbuild/protobuf';
import { type BulkOutcome, runBulk, unfinishedItems } from '../../../../core/bulk/bulkRun';
import {
  type MetadataState,
  type MetadataValue,
  readMetadataState,
  setMetadataValue,
} from '../../../../core/bulk/metadataValue';
import { toDisplayText } from '../../../../core/model/displayText';
import { targetId } from '../../../../core/model/resourceTarget';
import type { MetadataKind } from '../../../../core/stores/metadataStore';
import type { Selection } from '../../../../manifest/commandArguments';
import { CONCURRENT_CALLS, reading, working } from '../../../platform/commands/progress';
import { confirm, inputError, type InputProblem } from '../../../platform/prompts/prompts';
import type { TargetOfKind } from '../../../platform/prompts/targetPicker';
import { createReport, type ReportedProblem } from '../../../platform/commands/bulkReports';
import {
  type BulkTools,
  describeSkipped,
  formatTarget,
  formatTargetCounts,
  getCommandTargets,
  ofKinds,
  organizationNames,
  withRight,
} from '../bulkTargets';
import { findJsonProblems } from '../../../../core/documents/jsonProblems';
import { promptForSteps } from '../../../platform/prompts/promptSteps';
import { formatJsonProblem } from '../../../../core/documents/formatJsonProblem';

const KINDS = ['organization', 'location', 'machine', 'part'] as const satisfies MetadataKind[];

type Owner = TargetOfKind<MetadataKind>;

/** Value to set, the target resources, and the skipped resources of the selection. */
interface Task {
  readonly metadataValue: MetadataValue;
  readonly targets: readonly Owner[];
  readonly skipped: readonly ReportedProblem[];
}

/** Sets one metadata value on the selected resources and leaves their other values unchanged. */
export async function setMetadata(tools: BulkTools, selection: Selection): Promise<void> {
  const targets = getCommandTargets(tools, selection);
  const chosen = ofKinds(
    targets.length > 0 ? targets : [await tools.pickTarget('machine')],
    KINDS,
    vscode.l10n.t('Only organizations, locations, machines, and parts have metadata.'),
  );
  const { fitting, skipped } = await withRight(tools, chosen.fitting, 'administer');
  const metadataValue = await promptForMetadataValue(formatTargetCounts(fitting));
  await run(tools, { metadataValue, targets: fitting, skipped: [...chosen.skipped, ...skipped] });
}

async function run(tools: BulkTools, task: Task): Promise<void> {
  const { targets, metadataValue } = task;
  const states = new Map(await readStates(tools, task));
  const replaced = targets.filter((target) => states.get(target) === 'other').length;
  const toSet = targets.filter((target) => states.get(target) !== 'same');
  if (toSet.length > 0) await confirmValues(tools, task, toSet, replaced);
  const title = vscode.l10n.t('Set metadata value "{0}"', toDisplayText(metadataValue.key));
  // Includes the unchanged resources, because another user might have changed them while the prompt
  // was open.
  const outcomes: readonly BulkOutcome<Owner>[] = await working(
    title,
    toSet.length > 0 ? targets : [],
    async (target) => {
      const store = getMetadataStore(tools, target);
      states.set(
        target,
        await setMetadataValue(store, target.kind, targetId(target), metadataValue),
      );
    },
  );
  const rest = unfinishedItems(outcomes);
  const isUnchanged = (target: Owner): boolean =>
    states.get(target) === 'same' && !rest.includes(target);
  const worked = outcomes.filter(({ item }) => !isUnchanged(item));
  await tools.reports.showReport(
    {
      ...createReport(title, worked, formatTarget),
      details: vscode.l10n.t('Value: {0}', toDisplayText(JSON.stringify(metadataValue.value))),
      unchanged: targets.filter(isUnchanged).map(formatTarget),
      skipped: task.skipped,
    },
    {
      retry:
        rest.length > 0 ? () => run(tools, { ...task, targets: rest, skipped: [] }) : undefined,
    },
  );
}

/**
 * Reads the resources' states. A resource that can't be read has no state. The later attempt to set
 * its value fails too, and the report contains the reason.
 */
async function readStates(
  tools: BulkTools,
  { targets, metadataValue }: Task,
): Promise<ReadonlyMap<Owner, MetadataState>> {
  const states = new Map<Owner, MetadataState>();
  await reading(vscode.l10n.t('Loading metadata'), async (signal, report) => {
    const read = async (target: Owner): Promise<void> => {
      const store = getMetadataStore(tools, target);
      states.set(
        target,
        await readMetadataState(store, target.kind, targetId(target), metadataValue, signal),
      );
    };
    await runBulk(targets, read, {
      limit: CONCURRENT_CALLS,
      signal,
      onProgress: (done) => report(done, targets.length),
    });
    signal.throwIfAborted();
  });
  return states;
}

async function confirmValues(
  tools: BulkTools,
  { metadataValue, skipped }: Task,
  toSet: readonly Owner[],
  replaced: number,
): Promise<void> {
  const value = toDisplayText(JSON.stringify(metadataValue.value));
  const key = toDisplayText(metadataValue.key);
  await confirm(
    vscode.l10n.t('Set "{0}" to {1} on {2}?', key, value, formatTargetCounts(toSet)),
    [
      vscode.l10n.t('They belong to {0}.', await organizationNames(tools, toSet)),
      ...(replaced > 0
        ? [vscode.l10n.t('This overwrites a different value of this key on {0} of them.', replaced)]
        : []),
      ...describeSkipped(skipped),
    ].join(' '),
    vscode.l10n.t('Set Value'),
  );
}

function getMetadataStore({ sessions }: BulkTools, { connectionId }: Owner) {
  return sessions.stores(connectionId).metadata;
}

/** Prompts for a key and a JSON value. Throws `canceled`. */
async function promptForMetadataValue(counted: string): Promise<MetadataValue> {
  const title = vscode.l10n.t('Set Metadata Value on {0}', counted);
  const [key = '', text = ''] = await promptForSteps([
    () => ({
      title,
      prompt: vscode.l10n.t('Metadata key'),
      placeholder: 'site',
      validate: keyProblem,
    }),
    ([chosen = '']) => ({
      title,
      prompt: vscode.l10n.t('Value of "{0}" as JSON. Enclose text in double quotes.', chosen),
      placeholder: '"north"',
      validate: valueProblem,
    }),
  ]);
  return { key, value: JSON.parse(text) as JsonValue };
}

function keyProblem(key: string): InputProblem | undefined {
  if (key.trim() !== '') return undefined;
  return { message: vscode.l10n.t('Enter a key.'), severity: 'incomplete' };
}

function valueProblem(text: string): InputProblem | undefined {
  if (text.trim() === '') {
    return { message: vscode.l10n.t('Enter a value.'), severity: 'incomplete' };
  }
  // On the wire, all metadata is one object, in which numbers are doubles and keys are unique.
  const [problem] = findJsonProblems(`{"":${text}\n}`, 'struct');
  switch (problem?.code) {
    case undefined:
      return undefined;
    case 'numberNotKept':
    case 'numberOutOfRange':
    case 'unpairedSurrogate':
    case 'duplicateKey':
      return inputError(formatJsonProblem(problem, vscode.l10n));
    default:
      return /^[^"[{\d-]/.test(text.trim())
        ? inputError(vscode.l10n.t('This is not valid JSON. Enclose text in double quotes.'))
        : inputError(vscode.l10n.t('This is not valid JSON.'));
  }
}
