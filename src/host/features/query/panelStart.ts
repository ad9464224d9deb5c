import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import type { QueryPanelState } from '../../../shared/query/queryPanel';

/** Initial state of a panel. */
export interface PanelStart extends Pick<
  QueryPanelState,
  'language' | 'texts' | 'recent' | 'parameters'
> {
  readonly target: OrganizationTarget;
}

/** Returns the state of a panel that wasn't opened before. */
export function emptyPanel(target: OrganizationTarget): PanelStart {
  return { target, language: 'sql', texts: {}, recent: false, parameters: {} };
}
