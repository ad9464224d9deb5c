import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { HostHandlers } from '../../../shared/protocol';
import type { editorMessages } from '../../../shared/query/editor';
import type { QueryLanguageService } from '../../platform/queryLanguage/queryLanguageService';

/** Returns the handlers for editor messages about the readings of an organization. */
export function editorHandlers(
  language: Pick<QueryLanguageService, 'complete' | 'check' | 'hover'>,
  target: OrganizationTarget,
): HostHandlers<typeof editorMessages> {
  return {
    completeQuery: (query) => language.complete(query, target),
    hoverQuery: async ({ offset, ...query }) => ({
      hover: await language.hover(query, offset, target),
    }),
    checkQuery: (query) => language.check(query, target),
  };
}
