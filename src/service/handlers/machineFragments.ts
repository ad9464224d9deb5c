import { create, type JsonObject } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { parseImports, type ResolveProblemKind } from '../../core/fragments/fragmentImport';
import { resolveConfig } from '../../core/fragments/resolveConfig';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  FragmentErrorType,
  FragmentSchema,
  type ListMachineFragmentsRequest,
  type ResolvedFragment,
  ResolvedFragmentSchema,
} from '../../gen/viam/app/v1/fragment_pb';
import { may, requirePermission } from '../auth/authorizer';
import { ConfigBudget } from '../config/configRules';
import {
  fragmentKey,
  type FragmentReference,
  type LoadedFragments,
  loadFragments,
} from '../config/loadFragments';
import { notFound } from '../errors';
import { fragmentMessage } from '../messages/fragmentMessages';
import type { FragmentWithOwner } from '../store/fragments';
import { listFragmentUses } from '../store/fragmentUses';
import { listParts } from '../store/parts';
import { measureTexts } from '../store/store';
import { describeConfigs } from './describeConfigs';
import {
  getCaller,
  type HandlerDependencies,
  getResourcePath,
  toLargeCall,
} from './handlerSupport';

type MachineFragmentOperations = Pick<ServiceImpl<typeof AppService>, 'listMachineFragments'>;

/** Stands for callers to whom only public fragments are available. No organization has this ID. */
const NO_ORGANIZATION = '';

const CONFIGS = { table: 'parts', column: 'config_json', idColumn: 'machine_id' };

const ERROR_TYPES: Partial<Record<ResolveProblemKind, FragmentErrorType>> = {
  unknownFragment: FragmentErrorType.CHILD_ID_INVALID,
  cycle: FragmentErrorType.CYCLE_DETECTED,
  tooDeep: FragmentErrorType.NESTING_LIMIT_EXCEEDED,
};

/** Handlers for the fragments that a machine uses (spec part 3). */
export function machineFragmentHandlers(
  dependencies: HandlerDependencies,
): MachineFragmentOperations {
  const { store, documentWork } = dependencies;
  return {
    listMachineFragments: (request, context) =>
      documentWork.runMeasured(toLargeCall(context), async (addBytes) => {
        const { organizationId } = getResourcePath(context);
        const additional = additionalReferences(request);
        for (const id of new Set(additional.map((reference) => reference.id))) {
          await requirePermission(store, getCaller(context), 'read_fragment', {
            type: 'fragment',
            id,
          });
        }
        addBytes(await measureTexts(store, { ...CONFIGS, id: request.machineId }));
        const parts = await listParts(store, request.machineId);
        const used = parts.flatMap((part) => parseImports(JSON.parse(part.config_json)));
        const loaded = await loadFragments(store, organizationId, used, addBytes);
        // Fragments that the machine doesn't use can contain fragments that the caller can't read.
        const caller = getCaller(context);
        const canReadAll = may(caller, 'read_fragment', getResourcePath(context));
        const reader = canReadAll ? organizationId : NO_ORGANIZATION;
        const appended = await loadFragments(store, reader, additional, addBytes);
        const missing = additional.find((reference) => !appended.has(fragmentKey(reference)));
        if (missing !== undefined) throw notFound('fragment', missing.id);
        const all = new Map([...loaded, ...appended]);
        const rows = uniqueRevisions([...all.values()]);
        const uses = await listFragmentUses(
          store,
          rows.map(({ id }) => id),
          organizationId,
        );
        const [plain, resolved] = [new ConfigBudget(), new ConfigBudget()];
        // The total length is relevant because any of the fragments can be nested in any other.
        const totalLength = rows.reduce((sum, row) => sum + row.config_json.length, 0);
        return {
          fragments: await describeConfigs(dependencies, context, rows, {
            getLength: (row) => row.config_json.length,
            describe: (row) => {
              const fits = plain.tryConsume('own', Buffer.byteLength(row.config_json));
              return fragmentMessage(
                fits ? row : { ...row, config_json: undefined },
                uses.get(row.id),
              );
            },
            listStructs: (fragment) => [[fragment, FragmentSchema.field.fragment]],
          }),
          resolvedFragments: await describeConfigs(dependencies, context, rows, {
            getLength: () => totalLength,
            describe: (row) => resolvedFragment(row, all, resolved),
            listStructs: (fragment) => [[fragment, ResolvedFragmentSchema.field.resolvedConfig]],
          }),
        };
      }),
  };
}

function additionalReferences(request: ListMachineFragmentsRequest): FragmentReference[] {
  return [
    ...request.additionalFragmentIds.map((id) => ({ id, version: undefined })),
    ...request.additionalFragments.map(({ fragmentId, version }) => ({
      id: fragmentId,
      version: version === '' ? undefined : version,
    })),
  ];
}

/** Removes duplicate revisions. A pin to the newest revision is equivalent to no pin. */
function uniqueRevisions(rows: readonly FragmentWithOwner[]): FragmentWithOwner[] {
  return [...new Map(rows.map((row) => [row.revision, row])).values()];
}

/**
 * Returns a fragment. Omits its resolved config if this config or an earlier one doesn't fit into
 * the response.
 */
function resolvedFragment(
  row: FragmentWithOwner,
  loaded: LoadedFragments,
  budget: ConfigBudget,
): ResolvedFragment {
  if (budget.isExceeded) {
    return create(ResolvedFragmentSchema, { fragmentId: row.id, revision: row.revision });
  }
  const { config, problems } = resolveConfig(JSON.parse(row.config_json), (id, version) => {
    const nested = loaded.get(fragmentKey({ id, version }));
    return nested && (JSON.parse(nested.config_json) as JsonObject);
  });
  const problem = problems.find(({ kind }) => kind in ERROR_TYPES);
  return create(ResolvedFragmentSchema, {
    fragmentId: row.id,
    revision: row.revision,
    ...(budget.tryConsume('own', Buffer.byteLength(JSON.stringify(config))) && {
      resolvedConfig: config as JsonObject,
    }),
    ...(problem && {
      error: {
        errorType: ERROR_TYPES[problem.kind] ?? FragmentErrorType.UNSPECIFIED,
        fragmentId: problem.subject,
        detail: `fragments of "${row.name}": ${problem.kind}`,
      },
    }),
  });
}
