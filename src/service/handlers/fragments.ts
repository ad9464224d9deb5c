import type { ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  FragmentVisibility,
  type ListFragmentsRequest,
  type UpdateFragmentRequest,
} from '../../gen/viam/app/v1/fragment_pb';
import { isMember, may } from '../auth/authorizer';
import type { Principal } from '../auth/principal';
import { checkConfig } from '../config/configRules';
import { configTextOf } from '../config/configText';
import { invalid, notFound, stale } from '../errors';
import { fragmentMessage, fragmentRevisionMessage } from '../messages/fragmentMessages';
import {
  deleteFragment,
  findFragment,
  type FragmentWithOwner,
  insertFragment,
  listFragmentRevisions,
  listFragments,
  replaceFragment,
} from '../store/fragments';
import { newId } from '../store/identifiers';
import { microsFromTimestamp, wholeMillis } from '../store/micros';
import { resolvePath } from '../store/resourcePath';
import {
  callerOf,
  editorOf,
  type HandlerDependencies,
  requireName,
  resourcePathOf,
  untilWritten,
  versionAfter,
} from './handlerSupport';
import { cutPage, revisionPage } from './revisionPages';

type FragmentOperations = Pick<
  ServiceImpl<typeof AppService>,
  | 'listFragments'
  | 'getFragment'
  | 'createFragment'
  | 'updateFragment'
  | 'deleteFragment'
  | 'getFragmentHistory'
>;

/** Spec part 1, Limits: documents of a fragment's history a page. */
const DEFAULT_HISTORY_PAGE = 10;

/** Fragments of configs that machines share (spec part 3). */
export function fragmentHandlers(dependencies: HandlerDependencies): FragmentOperations {
  const { store } = dependencies;
  return {
    async listFragments(request, context) {
      const wanted = wantedVisibilities(request);
      const own = await ownVisibilities(request.organizationId, wanted, callerOf(context));
      const rows = await listFragments(
        store,
        request.organizationId,
        own,
        wanted.includes(FragmentVisibility.PUBLIC) ? FragmentVisibility.PUBLIC : undefined,
      );
      return { fragments: rows.map(fragmentMessage) };
    },

    async getFragment(request) {
      const row = await get(request.id);
      return { fragment: fragmentMessage(row) };
    },

    async createFragment(request) {
      const name = requireName(request.name);
      const config = request.config ?? {};
      checkConfig(config, 'config');
      const createdAt = dependencies.now();
      const id = newId();
      await insertFragment(store, {
        id,
        organization_id: request.organizationId,
        name,
        config_json: configTextOf(config, 'config'),
        visibility: knownVisibility(request.visibility) ?? FragmentVisibility.PRIVATE,
        revision: newId(),
        created_at: createdAt,
        last_updated: wholeMillis(createdAt),
      });
      return { fragment: fragmentMessage(await get(id)) };
    },

    async updateFragment(request, context) {
      requireName(request.name);
      if (request.config !== undefined) {
        checkConfig(request.config, 'config');
      }
      const visibility = wantedVisibility(request);
      await untilWritten(context, () => tryUpdate(request, visibility, callerOf(context)));
      return { fragment: fragmentMessage(await get(request.id)) };
    },

    async deleteFragment(request) {
      await deleteFragment(store, request.id);
      return {};
    },

    async getFragmentHistory(request, context) {
      const fragment = await get(request.id);
      const page = revisionPage(request.pageToken, request.pageLimit, DEFAULT_HISTORY_PAGE);
      const rows = await listFragmentRevisions(store, request.id, {
        ...page,
        limit: page.limit + 1,
      });
      const { page: shown, nextPageToken } = cutPage(rows, page.limit);
      // What was private once stays so: publishing a fragment does not publish its past.
      const mayReadPrivate = may(callerOf(context), 'read_fragment', {
        ...resourcePathOf(context),
        publicRead: false,
      });
      const readable = shown.filter(
        (row) =>
          mayReadPrivate ||
          (row.old_visibility as FragmentVisibility) !== FragmentVisibility.PRIVATE,
      );
      return {
        history: readable.map((row) => fragmentRevisionMessage(row, fragment)),
        nextPageToken,
      };
    },
  };

  async function get(id: string): Promise<FragmentWithOwner> {
    const row = await findFragment(store, id);
    if (row === undefined) {
      throw notFound('fragment', id);
    }
    return row;
  }

  /** Of the wanted visibilities those in which the caller may see the organization's fragments. */
  async function ownVisibilities(
    organizationId: string,
    wanted: FragmentVisibility[],
    principal: Principal,
  ): Promise<FragmentVisibility[]> {
    const path = await resolvePath(store, { type: 'organization', id: organizationId });
    if (path === undefined || !isMember(principal, organizationId)) {
      throw notFound('organization', organizationId);
    }
    return may(principal, 'read_fragment', path)
      ? wanted
      : wanted.filter((visibility) => visibility === FragmentVisibility.PUBLIC);
  }

  /** One attempt to write over the version that is there now; false when it moved meanwhile. */
  async function tryUpdate(
    request: UpdateFragmentRequest,
    visibility: FragmentVisibility | undefined,
    principal: Principal,
  ): Promise<boolean> {
    const current = await get(request.id);
    if (
      request.lastKnownUpdate !== undefined &&
      current.last_updated > microsFromTimestamp(request.lastKnownUpdate)
    ) {
      throw stale(
        `fragment "${current.name}" was changed since it was read (last_known_update): read it again`,
      );
    }
    const next = {
      name: request.name,
      configJson:
        request.config === undefined ? current.config_json : configTextOf(request.config, 'config'),
      visibility: visibility ?? current.visibility,
      revision: newId(),
      lastUpdated: versionAfter(current.last_updated, dependencies.now()),
    };
    if (
      next.name === current.name &&
      next.configJson === current.config_json &&
      next.visibility === current.visibility
    ) {
      return true;
    }
    return store
      .transaction()
      .execute((transaction) => replaceFragment(transaction, current, next, editorOf(principal)));
  }
}

/** Spec part 3, ListFragments: without visibilities only public fragments are returned. */
function wantedVisibilities(request: ListFragmentsRequest): FragmentVisibility[] {
  const known = request.fragmentVisibility.filter(
    (visibility) => knownVisibility(visibility) !== undefined,
  );
  return known.length > 0 ? known : [FragmentVisibility.PUBLIC];
}

/**
 * What an update asks the visibility to become; undefined leaves it.
 * @throws InvalidArgument when `visibility` and the deprecated `public` contradict each other.
 */
function wantedVisibility(request: UpdateFragmentRequest): FragmentVisibility | undefined {
  const visibility = knownVisibility(request.visibility);
  if (request.public === undefined) {
    return visibility;
  }
  if (visibility !== undefined && request.public !== (visibility === FragmentVisibility.PUBLIC)) {
    throw invalid('public: contradicts visibility; send only visibility');
  }
  return visibility ?? (request.public ? FragmentVisibility.PUBLIC : FragmentVisibility.PRIVATE);
}

function knownVisibility(
  visibility: FragmentVisibility | undefined,
): FragmentVisibility | undefined {
  if (visibility === undefined || visibility === FragmentVisibility.UNSPECIFIED) {
    return undefined;
  }
  if (!(visibility in FragmentVisibility)) {
    throw invalid(`visibility: ${String(visibility)} is not a fragment visibility`);
  }
  return visibility;
}
