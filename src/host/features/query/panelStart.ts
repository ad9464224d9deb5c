import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { QueryPanelState } from '../../../shared/query/queryPanel';

/** Initial state of a panel. */
export interface PanelStart extends Pick<
  QueryPanelState,
  'language' | 'texts' | 'recent' | 'parameters'
> {
  readonly target: OrganizationTarget;
}

/** Returns the initial state of a new panel. */
export function emptyPanel(target: OrganizationTarget): PanelStart {
  return { target, language: 'sql', texts: {}, recent: false, parameters: {} };
}
