import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { AppService } from '../../gen/viam/app/v1/app_pb';
import { FragmentVisibility } from '../../gen/viam/app/v1/fragment_pb';
import { may } from '../auth/authorizer';
import { notFound } from '../errors';
import { fragmentRevisionMessage } from '../messages/fragmentMessages';
import { listFragmentRevisions } from '../store/fragmentRevisions';
import { findFragment } from '../store/fragments';
import { editorsOf } from './editors';
import { callerOf, type HandlerDependencies, resourcePathOf } from './handlerSupport';
import { cutPage, revisionPage } from './revisionPages';

type FragmentHistoryOperations = Pick<ServiceImpl<typeof AppService>, 'getFragmentHistory'>;

/** Spec part 1, Limits: documents of a fragment's history a page. */
const DEFAULT_HISTORY_PAGE = 10;

/** What fragments were before their edits (spec part 3). */
export function fragmentHistoryHandlers({ store }: HandlerDependencies): FragmentHistoryOperations {
  return {
    async getFragmentHistory(request, context) {
      const fragment = await findFragment(store, request.id);
      if (fragment === undefined) {
        throw notFound('fragment', request.id);
      }
      const page = revisionPage(request.pageToken, request.pageLimit, DEFAULT_HISTORY_PAGE);
      const rows = await listFragmentRevisions(store, request.id, {
        ...page,
        limit: page.limit + 1,
      });
      const { page: shown, nextPageToken } = cutPage(rows, page.limit);
      const readable = shown.filter((row) => mayReadRevision(context, row.old_visibility));
      const editedBy = await editorsOf(store, readable);
      return {
        history: readable.map((row) => fragmentRevisionMessage(row, fragment, editedBy(row))),
        nextPageToken,
      };
    },
  };
}

/**
 * Whether the caller may read a past state of the fragment that the request names. What was private
 * once stays so: publishing a fragment does not publish its past.
 */
export function mayReadRevision(
  context: HandlerContext,
  visibility: FragmentVisibility | number,
): boolean {
  return (
    (visibility as FragmentVisibility) !== FragmentVisibility.PRIVATE ||
    may(callerOf(context), 'read_fragment', { ...resourcePathOf(context), publicRead: false })
  );
}
