import type { JsonObject } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { ROLLOUT_HEADER, ROLLOUT_SUPPORTED } from '../../core/model/contractExtensions';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  type Fragment,
  FragmentHistoryEntrySchema,
  FragmentSchema,
  FragmentVisibility,
  type ListFragmentsRequest,
  type UpdateFragmentRequest,
} from '../../gen/viam/app/v1/fragment_pb';
import { isMember, may } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { checkConfig, ConfigBudget, nestFragments } from '../config/configRules';
import { type ConfigDocument, serializeConfig, restoreKeyOrder } from '../config/configText';
import { listImportedIds } from '../../core/fragments/fragmentImport';
import { registryItemIdsIn } from '../../core/fragments/registryReferences';
import { invalid, notFound } from '../errors';
import {
  fragmentMessage,
  fragmentRevisionMessage,
  fragmentUsageMessage,
} from '../messages/fragmentMessages';
import { isLargeStruct } from '../messages/structField';
import type { RunSteps } from '../server/documentWork';
import { asRevision } from '../store/configVersions';
import {
  deleteFragment,
  findFragment,
  findFragmentRevision,
  type FragmentWithOwner,
  insertFragment,
  type ListedFragment,
  listFragmentConfigs,
  listFragments,
  listRevisionVisibilities,
} from '../store/fragments';
import { type FragmentUse, listFragmentUses, UNUSED } from '../store/fragmentUses';
import { newId } from '../store/identifiers';
import { timestampFromMicros, wholeMillis } from '../store/micros';
import { writeRegistryUses } from '../store/registryUses';
import { resolvePath } from '../store/resourcePath';
import { hasLargeTexts, MAX_SMALL_BYTES, type StoreAccess } from '../store/store';
import { ConfigVersions } from './configVersions';
import { describeConfig, describeConfigs } from './describeConfigs';
import {
  getCaller,
  getResourcePath,
  type HandlerDependencies,
  requireName,
  toLargeCall,
} from './handlerSupport';

type FragmentOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'listFragments'
  | 'getFragment'
  | 'getFragmentHistory'
  | 'createFragment'
  | 'updateFragment'
  | 'deleteFragment'
>;

/** Default number of documents per page of a fragment's history (spec part 1, Limits). */
const DEFAULT_HISTORY_PAGE = 10;

const CONFIGS = { table: 'fragments', column: 'config_json' };
const REVISIONS = {
  table: 'fragment_revisions',
  column: 'old_config_json',
  idColumn: 'old_revision',
};

/** Handlers for fragments, which are configs that machines share (spec part 3). */
export function fragmentHandlers(dependencies: HandlerDependencies): FragmentOperations {
  const { store, documentWork } = dependencies;
  const versions = new ConfigVersions<'fragment', FragmentWithOwner>(dependencies, {
    kind: 'fragment',
    find: findFragment,
    createColumns: () => ({ revision: newId() }),
    writeUses,
  });
  return {
    async listFragments(request, context) {
      context.responseHeader.set(ROLLOUT_HEADER, ROLLOUT_SUPPORTED);
      const visibilities = getRequestedVisibilities(request);
      const own = await ownVisibilities(request.organizationId, visibilities, getCaller(context));
      const rows = await listFragments(
        store,
        request.organizationId,
        own,
        visibilities.includes(FragmentVisibility.PUBLIC) ? FragmentVisibility.PUBLIC : undefined,
      );
      const uses = await listFragmentUses(
        store,
        rows.map(({ id }) => id),
        request.organizationId,
      );
      const fitting = chooseFitting(rows, request.organizationId);
      const bytes = fitting.reduce((sum, { config_bytes }) => sum + config_bytes, 0);
      return documentWork.runSized(bytes > MAX_SMALL_BYTES, toLargeCall(context), async () => {
        const configs = await listFragmentConfigs(
          store,
          fitting.map(({ id }) => id),
        );
        return {
          fragments: await describeConfigs(dependencies, context, rows, {
            getLength: ({ id }) => configs.get(id)?.length ?? 0,
            describe: (row) =>
              fragmentMessage({ ...row, config_json: configs.get(row.id) }, uses.get(row.id)),
            listStructs: (fragment) => [[fragment, FragmentSchema.field.fragment]],
          }),
          fragmentUsages: rows.map(({ id }) => fragmentUsageMessage(id, uses.get(id))),
        };
      });
    },

    async getFragment(request, context) {
      context.responseHeader.set(ROLLOUT_HEADER, ROLLOUT_SUPPORTED);
      const { id, currentOrganizationId } = request;
      const version = { ...REVISIONS, id: request.version ?? '' };
      const isLarge = await hasLargeTexts(store, { ...CONFIGS, id }, version);
      return documentWork.runSized(isLarge, toLargeCall(context), async () => {
        const row = await versions.get(id);
        const revisions = (await listRevisionVisibilities(store, id)).filter((revision) =>
          canReadRevision(context, revision.visibility),
        );
        // Only members of an organization can see the number of its machines.
        const isOwn = isMember(getCaller(context), currentOrganizationId);
        const use = await findUse(id, isOwn ? currentOrganizationId : '');
        return {
          fragment: await describe(context, await inVersion(row, request.version, context), use),
          fragmentUsage: fragmentUsageMessage(id, use),
          revisions: [
            { revision: row.revision, createdAt: timestampFromMicros(row.last_updated) },
            ...revisions.map(({ revision, createdAt }) => ({
              revision,
              createdAt: timestampFromMicros(createdAt),
            })),
          ],
        };
      });
    },

    async createFragment(request, context) {
      const name = requireName(request.name);
      const config = request.config ?? {};
      const insert = async (run: RunSteps): Promise<{ fragment: Fragment }> => {
        await run(checkConfig(config, 'config'));
        const document = await run(makeDocument(config));
        const createdAt = dependencies.now();
        const id = newId();
        await store.transaction().execute(async (transaction) => {
          await insertFragment(transaction, {
            id,
            organization_id: request.organizationId,
            name,
            config_json: document.text,
            visibility: knownVisibility(request.visibility) ?? FragmentVisibility.PRIVATE,
            revision: newId(),
            created_at: createdAt,
            last_updated: wholeMillis(createdAt),
          });
          await writeUses(transaction, id, document.value);
        });
        return { fragment: await describe(context, await versions.get(id), UNUSED, document) };
      };
      return documentWork.runSized(isLargeStruct(config), toLargeCall(context), insert);
    },

    async getFragmentHistory(request, context) {
      return versions.listHistory(request, context, {
        defaultLimit: DEFAULT_HISTORY_PAGE,
        withEditors: canReadPrivately(context),
        canRead: (revision) => canReadRevision(context, revision.old_visibility),
        describe: fragmentRevisionMessage,
        listStructs: (entry) => [
          [entry, FragmentHistoryEntrySchema.field.config],
          ...(entry.old ? [[entry.old, FragmentSchema.field.fragment] as const] : []),
        ],
      });
    },

    async updateFragment(request, context) {
      const { config } = request;
      const update = async (run: RunSteps): Promise<{ fragment: Fragment }> => {
        if (config !== undefined) await run(checkConfig(config, 'config'));
        const visibility = getRequestedVisibility(request);
        let document: ConfigDocument | undefined;
        const { row } = await versions.update(request, context, async () => {
          document ??= config && (await run(makeDocument(config)));
          return { document, columns: visibility === undefined ? {} : { visibility } };
        });
        return { fragment: await describe(context, row, await findUse(request.id), document) };
      };
      const isLarge =
        (config !== undefined && isLargeStruct(config)) || (await versions.isLarge(request.id));
      return documentWork.runSized(isLarge, toLargeCall(context), update);
    },

    async deleteFragment(request) {
      await deleteFragment(store, request.id);
      return {};
    },
  };

  /**
   * Filters the requested visibilities. Returns those for which the caller can see the
   * organization's fragments.
   */
  async function ownVisibilities(
    organizationId: string,
    visibilities: FragmentVisibility[],
    principal: Principal,
  ): Promise<FragmentVisibility[]> {
    const path = await resolvePath(store, { type: 'organization', id: organizationId });
    if (path === undefined || !isMember(principal, organizationId)) {
      throw notFound('organization', organizationId);
    }
    return may(principal, 'read_fragment', path)
      ? visibilities
      : visibilities.filter((visibility) => visibility === FragmentVisibility.PUBLIC);
  }

  /**
   * Returns a fragment's wire format. Encodes a large config in slices.
   * @param parsedConfig parsed config, which probably matches the fragment's config.
   */
  async function describe(
    context: HandlerContext,
    row: FragmentWithOwner,
    use?: FragmentUse,
    parsedConfig?: ConfigDocument,
  ): Promise<Fragment> {
    return describeConfig(dependencies, context, row, {
      getLength: ({ config_json }) => config_json.length,
      describe: () => fragmentMessage(row, use, parsedConfig),
      listStructs: (described) => [[described, FragmentSchema.field.fragment]],
    });
  }

  async function findUse(id: string, organizationId = ''): Promise<FragmentUse | undefined> {
    return (await listFragmentUses(store, [id], organizationId)).get(id);
  }

  /**
   * Returns the fragment at the requested revision, or the current fragment if no revision is
   * requested. Throws NotFound if the revision doesn't exist or the caller can't read it.
   */
  async function inVersion(
    row: FragmentWithOwner,
    version: string | undefined,
    context: HandlerContext,
  ): Promise<FragmentWithOwner> {
    if (version === undefined || version === '' || version === row.revision) return row;
    const old = await findFragmentRevision(store, row.id, version);
    if (old === undefined || !canReadRevision(context, old.old_visibility)) {
      throw notFound(`version of fragment "${row.name}"`, version);
    }
    return asRevision(row, old);
  }
}

/**
 * Returns true if the caller can read an earlier revision of the requested fragment. A private
 * revision remains private, because publishing a fragment doesn't publish its history.
 */
function canReadRevision(
  context: HandlerContext,
  visibility: FragmentVisibility | number,
): boolean {
  return (
    (visibility as FragmentVisibility) !== FragmentVisibility.PRIVATE || canReadPrivately(context)
  );
}

/** Returns true if the caller could also read the requested fragment if it were private. */
function canReadPrivately(context: HandlerContext): boolean {
  return may(getCaller(context), 'read_fragment', {
    ...getResourcePath(context),
    publicRead: false,
  });
}

/**
 * Records which fragments a fragment's new config uses. Must run in the transaction that writes
 * the config.
 */
async function writeUses(
  transaction: StoreAccess,
  fragmentId: string,
  config: JsonObject,
): Promise<void> {
  await nestFragments(transaction, fragmentId, listImportedIds(config));
  await writeRegistryUses(transaction, { fragmentId }, registryItemIdsIn(config));
}

/**
 * Returns the fragments whose configs fit into a list. Clients read the other fragments
 * individually.
 */
function chooseFitting(rows: readonly ListedFragment[], organizationId: string): ListedFragment[] {
  const budget = new ConfigBudget();
  return rows.filter((row) =>
    budget.tryConsume(row.organization_id === organizationId ? 'own' : 'others', row.config_bytes),
  );
}

/**
 * Returns the requested visibilities. If none are specified, only public fragments are listed (spec
 * part 3, ListFragments).
 */
function getRequestedVisibilities(request: ListFragmentsRequest): FragmentVisibility[] {
  const known = request.fragmentVisibility.filter(
    (visibility) => knownVisibility(visibility) !== undefined,
  );
  return known.length > 0 ? known : [FragmentVisibility.PUBLIC];
}

/**
 * Returns the visibility that an update requests; undefined to leave it unchanged. The contract
 * ensures that `visibility` and the deprecated `public` don't contradict each other.
 */
function getRequestedVisibility(request: UpdateFragmentRequest): FragmentVisibility | undefined {
  const visibility = knownVisibility(request.visibility);
  if (request.public === undefined) return visibility;
  return visibility ?? (request.public ? FragmentVisibility.PUBLIC : FragmentVisibility.PRIVATE);
}

function knownVisibility(
  visibility: FragmentVisibility | undefined,
): FragmentVisibility | undefined {
  if (visibility === undefined || visibility === FragmentVisibility.UNSPECIFIED) return undefined;
  if (!(visibility in FragmentVisibility)) {
    throw invalid(`visibility: ${String(visibility)} is not a fragment visibility`);
  }
  return visibility;
}

/** Returns, in small steps, the document to store for a config that was received as a Struct. */
function* makeDocument(config: JsonObject): Generator<undefined, ConfigDocument, void> {
  const value = (yield* restoreKeyOrder(undefined, config)) as JsonObject;
  return { text: yield* serializeConfig(value, 'config'), value };
}
