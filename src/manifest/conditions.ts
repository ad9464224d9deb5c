import { languages, notebooks, schemes, views, webviews } from './contributions';
import { all, equals, isIn, isSet, matches, not, type When } from './whenClauses';

/** No condition. */
export const always: When = { clauses: [] };
export const connected = isSet('fleetwright.connected');
/** True if the API key owns parts of the fleet, or if its permissions aren't known yet. */
export const canInspect = not(isSet('fleetwright.readOnlyKey'));
/** True if the active connection isn't read-only. */
export const canChange = not(isSet('fleetwright.readOnlyConnection'));
/** True if the API key can edit parts of the fleet over the active connection. */
export const canEdit = all(canInspect, canChange);
/** True if agents can use a permission for changes over the active connection. */
export const agentsCan = (permission: string): When =>
  matches('fleetwright.agentPermissions', new RegExp(`;${permission};`));
export const readOnlyConnection = isSet('fleetwright.readOnlyConnection');
export const localFleetRunning = isSet('fleetwright.localFleetRunning');

export const inFleetView = equals('view', views.fleet);
export const inRolloutView = equals('view', views.rollout);
export const fleetViewFocused = all(
  equals('focusedView', views.fleet),
  connected,
  not(isSet('inputFocus')),
);
export const fleetFiltered = isSet('fleetwright.fleet.filtered');
export const registryFiltered = isSet('fleetwright.registry.filtered');
export const reportsRollouts = isSet('fleetwright.reportsRollouts');
export const severalSelected = isSet('listMultiSelection');

export const inDocument = equals('resourceScheme', schemes.document);
export const inPartConfig = all(inDocument, matches('resourcePath', /^\/parts\/[^/]+\/config\//));
export const inFragmentConfig = all(
  inDocument,
  matches('resourcePath', /^\/fragments\/[^/]+\/config\//),
);
export const inResolvedConfig = equals('resourceScheme', schemes.resolved);
export const inReadinessReport = equals('resourceScheme', schemes.readiness);
export const readOnlyDocument = isSet('fleetwright.document.readOnly');
export const changedElsewhere = isSet('fleetwright.document.changedElsewhere');
export const inMergePreview = isSet('fleetwright.document.mergePreview');
export const inDiffEditor = isSet('isInDiffEditor');

export const inNotebook = equals('notebookType', notebooks.type);
export const inQueryFile = all(
  matches('editorLangId', /^fleet-(sql|mql)$/),
  not(isSet('notebookEditorFocused')),
);
export const inMqlFile = all(
  equals('editorLangId', languages.mql.id),
  not(isSet('notebookEditorFocused')),
);

export const inTrainingPanel = equals('activeWebviewPanelId', webviews.training.viewType);

export const onModuleManifest = isIn('resourcePath', 'fleetwright.moduleManifests');
/** Manifest in a folder in which programs can run. */
export const onBuildableModule = all(
  onModuleManifest,
  matches('resourceScheme', /^(file|vscode-remote)$/),
);
