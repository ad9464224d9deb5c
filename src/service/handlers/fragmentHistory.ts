import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import {
  FragmentHistoryEntrySchema,
  FragmentSchema,
  FragmentVisibility,
} from '../../gen/viam/app/v1/fragment_pb';
import { may } from '../auth/authorizer';
import { notFound } from '../errors';
import { fragmentRevisionMessage } from '../messages/fragmentMessages';
import { findFragment, listFragmentRevisions } from '../store/fragments';
import { hasLargeTexts } from '../store/store';
import { describeConfigs } from './describeConfigs';
import { createEditorLookup, cutPage, revisionPage } from './revisionHistory';
import {
  getCaller,
  type HandlerDependencies,
  getResourcePath,
  toLargeCall,
} from './handlerSupport';

type FragmentHistoryOperations = Pick<ServiceImpl<typeof AppService>, 'getFragmentHistory'>;

/** Default number of documents per page of a fragment's history (spec part 1, Limits). */
const DEFAULT_HISTORY_PAGE = 10;

const CONFIGS = { table: 'fragments', column: 'config_json' };
const REVISIONS = {
  table: 'fragment_revisions',
  column: 'old_config_json',
  idColumn: 'fragment_id',
};

/** Handlers for earlier revisions of fragments (spec part 3). */
export function fragmentHistoryHandlers(
  dependencies: HandlerDependencies,
): FragmentHistoryOperations {
  const { store, documentWork } = dependencies;
  return {
    async getFragmentHistory(request, context) {
      const { id } = request;
      const isLarge = await hasLargeTexts(store, { ...CONFIGS, id }, { ...REVISIONS, id });
      return documentWork.runSized(isLarge, toLargeCall(context), async () => {
        const fragment = await findFragment(store, id);
        if (fragment === undefined) throw notFound('fragment', id);
        const page = revisionPage(request.pageToken, request.pageLimit, DEFAULT_HISTORY_PAGE);
        const rows = await listFragmentRevisions(store, id, {
          ...page,
          limit: page.limit + 1,
        });
        const { page: shown, nextPageToken } = cutPage(rows, page.limit);
        const readable = shown.filter((row) => mayReadRevision(context, row.old_visibility));
        const editedBy = await createEditorLookup(store, readable);
        return {
          history: await describeConfigs(dependencies, context, readable, {
            getLength: (row) => row.old_config_json.length,
            describe: (row) => fragmentRevisionMessage(row, fragment, editedBy(row)),
            listStructs: (entry) => [
              [entry, FragmentHistoryEntrySchema.field.config],
              ...(entry.old ? [[entry.old, FragmentSchema.field.fragment] as const] : []),
            ],
          }),
          nextPageToken,
        };
      });
    },
  };
}

/**
 * Returns true if the caller can read an earlier revision of the requested fragment. A private
 * revision remains private, because publishing a fragment doesn't publish its history.
 */
export function mayReadRevision(
  context: HandlerContext,
  visibility: FragmentVisibility | number,
): boolean {
  return (
    (visibility as FragmentVisibility) !== FragmentVisibility.PRIVATE ||
    may(getCaller(context), 'read_fragment', { ...getResourcePath(context), publicRead: false })
  );
}
