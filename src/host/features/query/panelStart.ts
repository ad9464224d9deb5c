import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { QueryPanelState } from '../../../shared/query/queryPanel';

/** What a panel begins with. */
export interface PanelStart extends Pick<
  QueryPanelState,
  'language' | 'texts' | 'recent' | 'parameters'
> {
  readonly target: OrganizationTarget;
}

/** A panel that was not opened before. */
export function emptyPanel(target: OrganizationTarget): PanelStart {
  return { target, language: 'sql', texts: {}, recent: false, parameters: {} };
}
