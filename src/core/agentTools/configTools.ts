import { FleetError } from '../api/errors';
import { inSlices } from '../../base/slices';
import { englishLocalizer } from '../../base/localizer';
import { formatResolveProblem } from '../configChecks/formatResolveProblem';
import {
  createJsonFinder,
  findJsonChanges,
  type JsonFinder,
  presentJson,
} from '../documents/jsonText';
import { parseConfigText, resolveValueInSteps } from '../documents/resolvedText';
import { findReplacedState, listRevisions } from '../documents/revisionList';
import type { FragmentLookup } from '../fragments/resolveConfig';
import type { Part } from '../model/entities';
import { fragmentId, partId } from '../model/ids';
import { type VersionToken, versionToMilliseconds } from '../model/timestamp';
import type { FleetStores } from '../stores/fleetStores';
import { loadFragments } from '../stores/loadFragments';
import { type AgentTool, LONG_TIMEOUT_MS, readTool, type ToolContext } from './agentTool';
import { countProblems, diagnoseConfig } from './checkConfig';
import { fromOffset, OFFSET, ORGANIZATION, requireOrganization } from './toolParameters';
import { REDACTED } from './redactSecrets';
import { LIMIT_SENTENCE, MAX_ROWS } from './toolAnswer';
import {
  choice,
  document,
  id,
  integer,
  list,
  object,
  optional,
  text,
  time,
  flag,
} from './toolSchema';

const PART_ID = id('ID of the part. fleetwright_get_machine lists the parts of a machine.');

const getPartConfig = readTool({
  name: 'fleetwright_get_part_config',
  title: 'View Part Config',
  description:
    'Returns the saved config of a part as JSON text, or its resolved config with all fragments applied. Secrets in the config are redacted. An answer has at most 64 KiB; the complete text can be read for 15 minutes.',
  input: object({
    partId: PART_ID,
    isResolved: optional(flag('True for the resolved config. The default is the saved config.')),
  }),
  output: object({
    name: text(),
    machineId: id(),
    version: optional(id('Version of the saved config, for fleetwright_compare_part_configs.')),
    config: document('JSON text of the config.'),
    problems: list(text(), 'Problems of the fragments that the config uses.'),
  }),
  run: async ({ partId: requestedId, isResolved = false }, context) => {
    const { stores, signal } = context;
    const part = await readPart(stores, requestedId, signal);
    const { name, machineId, lastUpdated: version } = part;
    if (!isResolved) {
      const config = presentJson(part.configText);
      return { data: { name, machineId, version, config, problems: [] } };
    }
    const resolved = await resolvePart(part, context);
    return { data: { name, machineId, version, ...resolved } };
  },
});

function readPart(stores: FleetStores, requestedId: string, signal: AbortSignal): Promise<Part> {
  return stores.parts.get(partId(requestedId), { signal, fresh: true });
}

/**
 * Returns the resolved config of a part. Variables and changes of fragments can move secrets to
 * other names, so the answer is redacted.
 *
 * @throws FleetError `invalid` if the config isn't valid JSON
 */
export async function resolvePart(
  { machineId, configText }: Pick<Part, 'machineId' | 'configText'>,
  { stores, signal, redactor }: Pick<ToolContext, 'stores' | 'signal' | 'redactor'>,
): Promise<{ readonly config: string; readonly problems: readonly string[] }> {
  const config = parseConfigText(configText);
  if (config === undefined) {
    throw new FleetError('invalid', "The saved config isn't valid JSON, so it can't be resolved.");
  }
  const loaded = await loadFragments(stores.fragments, {
    machine: machineId,
    config,
    saved: config,
    signal,
  });
  redactor.addSecretsOf(config);
  const lookup: FragmentLookup = (...reference) => {
    const fragment = loaded.lookup(...reference);
    if (fragment !== undefined) redactor.addSecretsOf(fragment);
    return fragment;
  };
  const resolved = await inSlices(resolveValueInSteps(config, lookup), signal);
  const problems = resolved.problems.map((problem) =>
    formatResolveProblem(problem, loaded.getName, englishLocalizer),
  );
  return { config: resolved.text, problems };
}

const getPartHistory = readTool({
  name: 'fleetwright_get_part_history',
  title: 'View Part History',
  description: `Lists the saved versions of a part's config, newest first: time, author, and the changed paths. ${LIMIT_SENTENCE}`,
  input: object({
    partId: PART_ID,
    limit: optional(
      integer('Number of versions to read; 20 by default.', { min: 1, max: MAX_ROWS }),
    ),
    nextPage: optional(id('nextPage of the previous answer.')),
  }),
  output: object({
    versions: list(
      object({
        version: id('Version for fleetwright_compare_part_configs, or current.'),
        savedAt: optional(time()),
        author: optional(text()),
        name: text(),
        changes: list(text(), 'Changed paths.'),
      }),
    ),
    nextPage: optional(id()),
  }),
  rows: 'versions',
  run: async ({ partId: requestedId, limit = 20, nextPage }, { stores, signal }) => {
    const part = await readPart(stores, requestedId, signal);
    const page = await stores.parts.history(part.id, { limit, pageToken: nextPage, signal });
    const current = { text: part.configText, version: part.lastUpdated, name: part.name };
    const revisions = listRevisions(current, page.items, page.nextPageToken === '');
    const versions = revisions.map(({ key, madeOn, editor, name, changes = [] }) => ({
      version: key,
      savedAt: madeOn && toIsoTime(madeOn),
      author: editor?.name,
      name,
      changes: changes.slice(0, MAX_ROWS).map(({ kind, path }) => `${kind} ${path.join('.')}`),
    }));
    // On a later page, the first entry is not the current state.
    const rows = nextPage === undefined ? versions : versions.slice(1);
    return { data: { versions: rows, nextPage: page.nextPageToken || undefined } };
  },
});

function toIsoTime(version: VersionToken): string {
  return new Date(versionToMilliseconds(version)).toISOString();
}

const comparePartConfigs = readTool({
  name: 'fleetwright_compare_part_configs',
  title: 'Compare Part Configs',
  description: `Compares two saved versions of a part's config and lists the structural differences with the values before and after. Secrets are redacted. ${LIMIT_SENTENCE}`,
  input: object({
    partId: PART_ID,
    before: id('Version from fleetwright_get_part_history.'),
    after: optional(
      id('Version from fleetwright_get_part_history; the current config by default.'),
    ),
  }),
  output: object({
    changes: list(
      object({
        kind: choice(['added', 'removed', 'changed']),
        path: list(text()),
        before: optional(document()),
        after: optional(document()),
      }),
    ),
  }),
  rows: 'changes',
  run: async ({ partId: requestedId, before, after = 'current' }, { stores, signal, redactor }) => {
    const [left, right] = await Promise.all([
      readVersion(stores, requestedId, before, signal),
      readVersion(stores, requestedId, after, signal),
    ]);
    const changes = findJsonChanges(left, right);
    if (!changes) throw new FleetError('invalid', "A version isn't valid JSON.");
    // A value can be a secret because of its parents and siblings.
    const [findLeft, findRight] = [left, right].map((text) =>
      createJsonFinder(redactor.redactDocument(text)),
    ) as [JsonFinder, JsonFinder];
    const redacted = changes.map((change) => ({
      ...change,
      before: change.before && (findLeft(change.path) ?? REDACTED),
      after: change.after && (findRight(change.path) ?? REDACTED),
    }));
    return { data: { changes: redacted } };
  },
});

async function readVersion(
  stores: FleetStores,
  requestedId: string,
  version: string,
  signal: AbortSignal,
): Promise<string> {
  if (version === 'current') return (await readPart(stores, requestedId, signal)).configText;
  const target = partId(requestedId);
  const state = await findReplacedState(
    (request) => stores.parts.history(target, request),
    version as VersionToken,
    signal,
  );
  if (state) return state.configText;
  throw new FleetError(
    'notFound',
    "The part's history doesn't contain the version. Use a version from fleetwright_get_part_history.",
  );
}

const listFragments = readTool({
  name: 'fleetwright_list_fragments',
  title: 'List Fragments',
  description: `Lists the fragments of an organization with their visibility, revision, and the number of parts that use them. ${LIMIT_SENTENCE}`,
  input: object({ organizationId: ORGANIZATION, offset: OFFSET }),
  output: object({
    fragments: list(
      object({
        id: id(),
        name: text(),
        visibility: choice(['private', 'public', 'publicUnlisted', 'unknown']),
        revision: id(),
        partCount: integer(),
      }),
    ),
  }),
  rows: 'fragments',
  run: async ({ organizationId, offset }, context) => {
    const organization = await requireOrganization(context, organizationId);
    const fragments = await context.stores.fragments.list(organization, {
      signal: context.signal,
      fresh: true,
    });
    return { data: { fragments: fromOffset(fragments, offset) } };
  },
});

const getFragment = readTool({
  name: 'fleetwright_get_fragment',
  title: 'View Fragment',
  description:
    'Returns the config of a fragment as JSON text, at its newest revision or at a given revision or tag. Secrets are redacted. An answer has at most 64 KiB; the complete text can be read for 15 minutes.',
  input: object({
    fragmentId: id('ID of the fragment.'),
    version: optional(id('Revision or tag; the newest revision by default.')),
  }),
  output: object({
    id: id(),
    name: text(),
    organizationId: id(),
    revision: id(),
    partCount: integer(),
    config: document('JSON text of the config.'),
  }),
  run: async ({ fragmentId: requestedId, version }, { stores, signal }) => {
    const target = fragmentId(requestedId);
    const fragment =
      version === undefined
        ? await stores.fragments.get(target, { signal, fresh: true })
        : await stores.fragments.getVersion(target, version, signal);
    return { data: { ...fragment, config: fragment.configText } };
  },
});

/** Schema for the diagnostics of a config. */
export const DIAGNOSTICS = list(
  object({
    severity: choice(['error', 'warning', 'hint', 'suggestion']),
    code: optional(text()),
    path: text(),
    line: integer(),
    column: integer(),
    message: text(),
  }),
);

const validateConfig = readTool({
  name: 'fleetwright_validate_config',
  title: 'Validate Config',
  description: `Checks a config as the editor does, without saving it: the given JSON text, or the saved config of a part. Reports errors, warnings, and hints with their path, line, and column. Fragments and modules are read from the fleet. ${LIMIT_SENTENCE}`,
  input: object({
    config: optional(document('JSON text of the config to check.')),
    partId: optional(id('ID of the part whose saved config is checked if config is omitted.')),
    isFragment: optional(flag('True if the text is the config of a fragment.')),
  }),
  output: object({
    isValid: flag('True if there are no errors and warnings.'),
    diagnostics: DIAGNOSTICS,
  }),
  rows: 'diagnostics',
  timeoutMs: LONG_TIMEOUT_MS,
  run: async ({ config, partId: requestedId, isFragment = false }, context) => {
    const { stores, signal } = context;
    if (config === undefined && requestedId === undefined) {
      throw new FleetError('invalid', 'config or partId is missing.');
    }
    const source =
      config ?? presentJson((await readPart(stores, requestedId ?? '', signal)).configText);
    const diagnostics = await diagnoseConfig({ text: source, isFragment }, context);
    const isValid = countProblems(diagnostics) === 0;
    return { data: { isValid, diagnostics } };
  },
});

export const configTools: readonly AgentTool[] = [
  getPartConfig,
  getPartHistory,
  comparePartConfigs,
  listFragments,
  getFragment,
  validateConfig,
];
