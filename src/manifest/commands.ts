import type { ConfigChange } from '../core/bulk/changePlan';
import type { DocumentAddress } from '../core/documents/documentAddress';
import type { ConnectionId } from '../core/model/ids';
import type {
  ApiKeyTarget,
  DatasetTarget,
  FleetTarget,
  FragmentTarget,
  IdentityTarget,
  InviteTarget,
  LocationTarget,
  MachineTarget,
  MemberTarget,
  OrganizationTarget,
  PartTarget,
  RegistryItemTarget,
  RoleTarget,
  TrainingJobTarget,
} from '../core/model/resourceTarget';
import type {
  BrowsableTarget,
  DocumentArgument,
  InitialQuery,
  QueryableTarget,
  RevisionArgument,
  RoleScopeTarget,
  Selection,
  ShowableRegistryItem,
  ShowableTraining,
  VersionChange,
} from './commandArguments';
import { type Category, type CommandSpec, fromMenus, internal, offered } from './commandSpec';
import {
  always,
  canChange,
  canEdit,
  canInspect,
  changedElsewhere,
  connected,
  fleetFiltered,
  fleetViewFocused,
  inDocument,
  inMergePreview,
  inMqlFile,
  inNotebook,
  inPartConfig,
  inQueryFile,
  inReadinessReport,
  inResolvedConfig,
  inTrainingPanel,
  localFleetRunning,
  onModuleManifest,
  readOnlyConnection,
  readOnlyDocument,
  registryFiltered,
  reportsRollouts,
} from './conditions';
import { all, any, isSet, not } from './whenClauses';

/**
 * All commands, which `npm run manifest` writes to package.json. The extension uses only the types.
 * A tree item's menu passes the item, and the command registry passes the item's `target` to the
 * command.
 */
export const commands = {
  'fleetwright.apiKey.create': offered<[target?: RoleScopeTarget]>({
    icon: 'add',
    palette: canEdit,
  }),
  'fleetwright.apiKey.delete': fromMenus<[target?: ApiKeyTarget]>(),
  'fleetwright.apiKey.duplicate': fromMenus<[target?: ApiKeyTarget]>(),
  'fleetwright.apiKey.rotate': fromMenus<[target?: ApiKeyTarget]>(),
  'fleetwright.app.show': offered(),
  'fleetwright.bulk.apply': offered<Selection>({ icon: 'diff-multiple', palette: canEdit }),
  'fleetwright.bulk.applyChange': internal<[change: ConfigChange]>(),
  'fleetwright.bulk.applyPreview': offered({
    icon: 'check',
    enablement: always,
    palette: isSet('fleetwright.bulk.preview'),
  }),
  'fleetwright.bulk.cancelPreview': offered({
    icon: 'close',
    enablement: always,
    palette: isSet('fleetwright.bulk.preview'),
  }),
  'fleetwright.bulk.delete': fromMenus<Selection>({
    keybinding: { key: 'delete', mac: 'cmd+backspace', when: fleetViewFocused },
  }),
  'fleetwright.bulk.restart': fromMenus<Selection>(),
  'fleetwright.bulk.retryFailed': offered({
    icon: 'refresh',
    enablement: always,
    palette: isSet('fleetwright.bulk.canRetry'),
  }),
  'fleetwright.bulk.setMetadata': fromMenus<Selection>(),
  'fleetwright.bulk.usePatch': offered({
    icon: 'check',
    enablement: always,
    palette: isSet('fleetwright.bulk.patchInFront'),
  }),
  'fleetwright.config.updateVersion': internal<[change: VersionChange]>(),
  'fleetwright.connection.copyMcpConfiguration': offered(),
  'fleetwright.connection.allowChanges': offered<[connection?: ConnectionId]>({
    icon: 'unlock',
    palette: readOnlyConnection,
  }),
  'fleetwright.connection.makeReadOnly': offered<[connection?: ConnectionId]>({
    icon: 'lock',
    palette: canChange,
  }),
  'fleetwright.connection.signIn': offered({ icon: 'key', enablement: always }),
  'fleetwright.connection.signOut': offered(),
  'fleetwright.connection.switch': offered({ enablement: always }),
  'fleetwright.data.browse': offered<[target?: BrowsableTarget]>({
    icon: 'database',
    enablement: always,
    palette: connected,
  }),
  'fleetwright.data.openSavedFilter': offered(),
  'fleetwright.data.uploadFiles': offered<[clicked?: object, selected?: readonly object[]]>({
    icon: 'cloud-upload',
    palette: canEdit,
  }),
  'fleetwright.data.uploadReadings': offered<[clicked?: object, selected?: readonly object[]]>({
    icon: 'graph-line',
    palette: canEdit,
  }),
  'fleetwright.database.setPassword': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.database.show': offered<[target?: OrganizationTarget]>(),
  'fleetwright.dataset.checkAgain': offered<[report?: object]>({
    icon: 'refresh',
    enablement: always,
    palette: inReadinessReport,
  }),
  'fleetwright.dataset.create': offered<[target?: OrganizationTarget]>({
    icon: 'add',
    palette: canEdit,
  }),
  'fleetwright.dataset.delete': fromMenus<[target?: DatasetTarget]>(),
  'fleetwright.dataset.export': offered<[target?: DatasetTarget]>({ icon: 'export' }),
  'fleetwright.dataset.rename': fromMenus<[target?: DatasetTarget]>(),
  'fleetwright.dataset.showReadiness': fromMenus<[target?: DatasetTarget]>({ icon: 'checklist' }),
  'fleetwright.document.acceptMerge': offered<[document?: object]>({
    icon: 'check',
    enablement: always,
    palette: inMergePreview,
    keybinding: { key: 'ctrl+s', mac: 'cmd+s', when: inMergePreview },
  }),
  'fleetwright.document.compare': offered<[document?: DocumentArgument]>({
    icon: 'diff',
    enablement: always,
    palette: changedElsewhere,
  }),
  'fleetwright.document.compareRevisions':
    internal<[document: DocumentAddress, older: RevisionArgument, newer: RevisionArgument]>(),
  'fleetwright.document.createFragment': offered<[document?: object]>({
    palette: all(inPartConfig, canChange),
  }),
  'fleetwright.document.discardMerge': offered<[document?: object]>({
    icon: 'close',
    enablement: always,
    palette: inMergePreview,
  }),
  'fleetwright.document.merge': offered<[document?: DocumentArgument]>({
    icon: 'git-merge',
    enablement: always,
    palette: changedElsewhere,
  }),
  'fleetwright.document.overwrite': offered<[document?: DocumentArgument]>({
    icon: 'cloud-upload',
    enablement: always,
    palette: changedElsewhere,
  }),
  'fleetwright.document.reload': offered<[document?: DocumentArgument]>({
    icon: 'discard',
    enablement: always,
    palette: changedElsewhere,
  }),
  'fleetwright.document.resolve': offered<[document?: DocumentArgument]>({
    enablement: always,
    palette: changedElsewhere,
  }),
  'fleetwright.document.restore':
    internal<[document: DocumentAddress, revision: RevisionArgument]>(),
  'fleetwright.document.reviewSave': internal<[document?: DocumentArgument]>(),
  'fleetwright.document.saveCopy': offered<[document?: DocumentArgument]>({
    enablement: always,
    palette: inDocument,
  }),
  'fleetwright.document.showHistory': offered<[document?: object]>({
    icon: 'history',
    enablement: always,
    palette: connected,
  }),
  'fleetwright.fleet.clearFilter': offered({ icon: 'clear-all', enablement: fleetFiltered }),
  'fleetwright.fleet.filter': offered({
    icon: 'filter',
    keybinding: { key: 'ctrl+f', mac: 'cmd+f', when: fleetViewFocused },
  }),
  'fleetwright.fleet.groupByFragment': fromMenus(),
  'fleetwright.fleet.groupByLocation': fromMenus(),
  'fleetwright.fleet.groupByStatus': fromMenus(),
  'fleetwright.fleet.groupMachines': offered(),
  'fleetwright.fleet.groupedByFragment': internal<[]>({ enablement: connected }),
  'fleetwright.fleet.groupedByLocation': internal<[]>({ enablement: connected }),
  'fleetwright.fleet.groupedByStatus': internal<[]>({ enablement: connected }),
  'fleetwright.fleet.loadMore': internal<[node: object]>(),
  'fleetwright.fleet.refresh': offered({ icon: 'refresh' }),
  'fleetwright.fleet.renameSelected': internal<[]>({
    enablement: connected,
    keybinding: { key: 'f2', when: fleetViewFocused },
  }),
  'fleetwright.fleet.retry': internal<[node: object]>({ icon: 'refresh' }),
  'fleetwright.fragment.changeVisibility': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.create': offered<[target?: OrganizationTarget]>({
    icon: 'add',
    palette: canEdit,
  }),
  'fleetwright.fragment.delete': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.openConfig': fromMenus<[target?: FragmentTarget]>({ icon: 'go-to-file' }),
  'fleetwright.fragment.rename': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.showHistory': fromMenus<[target?: FragmentTarget]>({ icon: 'history' }),
  'fleetwright.fragment.showMachines': offered<[fragmentOrDocument?: object]>({ icon: 'vm' }),
  'fleetwright.fragment.showRollout': offered<[fragmentOrDocument?: object]>({
    icon: 'rocket',
    palette: reportsRollouts,
  }),
  'fleetwright.invite.change': fromMenus<[target?: InviteTarget]>({ icon: 'edit' }),
  'fleetwright.invite.resend': fromMenus<[target?: InviteTarget]>({ icon: 'mail' }),
  'fleetwright.invite.withdraw': fromMenus<[target?: InviteTarget]>(),
  'fleetwright.localFleet.allowScripts': internal<[]>(),
  'fleetwright.localFleet.showLog': offered({ enablement: always }),
  'fleetwright.localFleet.start': offered({ icon: 'rocket', enablement: always }),
  'fleetwright.localFleet.stop': offered({ icon: 'debug-stop', enablement: localFleetRunning }),
  'fleetwright.location.create': offered<[target?: OrganizationTarget | LocationTarget]>({
    icon: 'add',
    palette: canEdit,
  }),
  'fleetwright.location.delete': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.move':
    fromMenus<[target?: LocationTarget, selected?: readonly FleetTarget[]]>(),
  'fleetwright.location.moveInto':
    internal<
      [
        locations: readonly FleetTarget[],
        destination: OrganizationTarget | LocationTarget | undefined,
      ]
    >(),
  'fleetwright.location.openMetadata': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.openSecrets': fromMenus<[target?: LocationTarget]>({ category: 'access' }),
  'fleetwright.location.rename': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.setRegion': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.share': fromMenus<[target?: LocationTarget]>({ category: 'access' }),
  'fleetwright.location.showAccess': fromMenus<[target?: LocationTarget]>({ category: 'access' }),
  'fleetwright.location.unshare': fromMenus<[target?: LocationTarget]>({ category: 'access' }),
  'fleetwright.log.show': offered({ enablement: always }),
  'fleetwright.machine.create': offered<[target?: LocationTarget]>({
    icon: 'add',
    palette: canEdit,
  }),
  'fleetwright.machine.delete': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.openConfig': fromMenus<[target?: MachineTarget]>({ icon: 'go-to-file' }),
  'fleetwright.machine.openMetadata': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.rename': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.restart': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.showApiKeys': fromMenus<[target?: MachineTarget]>({ category: 'access' }),
  'fleetwright.machine.showLogs': fromMenus<Selection>({ icon: 'output' }),
  'fleetwright.member.copyEmail': internal<[target: MemberTarget | InviteTarget]>(),
  'fleetwright.member.find': fromMenus(),
  'fleetwright.member.invite': offered<[target?: OrganizationTarget]>({
    icon: 'person-add',
    palette: canEdit,
  }),
  'fleetwright.member.remove': fromMenus<[target?: MemberTarget]>(),
  'fleetwright.member.showOrganizations': fromMenus<[target?: MemberTarget]>(),
  'fleetwright.model.deploy': fromMenus<[modelOrPlace?: object, version?: string]>(),
  'fleetwright.module.addModel': offered<[manifest?: object]>({
    icon: 'add',
    enablement: always,
    palette: onModuleManifest,
  }),
  'fleetwright.module.build': offered<[manifest?: object]>({ icon: 'tools', enablement: always }),
  'fleetwright.module.create': offered<[manifest?: object]>({ icon: 'add', palette: canEdit }),
  'fleetwright.module.deploy': fromMenus<[moduleOrPlace?: object, version?: string]>({
    icon: 'vm',
  }),
  'fleetwright.module.generate': offered({ icon: 'new-folder', enablement: always }),
  'fleetwright.module.repeatUpload': offered<[manifest?: object]>({
    icon: 'sync',
    palette: canEdit,
    keybinding: { key: 'ctrl+shift+alt+u', mac: 'cmd+shift+alt+u', when: connected },
  }),
  'fleetwright.module.runLocally': offered<[manifest?: object]>({
    icon: 'play',
    enablement: always,
  }),
  'fleetwright.module.update': offered<[manifest?: object]>({ palette: canEdit }),
  'fleetwright.module.uploadBuild': offered<[manifestOrModule?: object]>({
    icon: 'cloud-upload',
    palette: canEdit,
  }),
  'fleetwright.moduleManifest.createScript': internal<[manifest: object, file: string]>(),
  'fleetwright.moduleManifest.makeExecutable': internal<[manifest: object, file: string]>(),
  'fleetwright.notebook.changeParameters': offered<[cell?: object]>({
    icon: 'symbol-parameter',
    shortTitle: 'command.parameters',
    enablement: always,
    palette: inNotebook,
  }),
  'fleetwright.notebook.chooseOrganization': offered<[notebook?: object]>({
    icon: 'organization',
    shortTitle: 'command.organization',
    enablement: always,
    palette: inNotebook,
  }),
  'fleetwright.notebook.create': offered<[target?: OrganizationTarget]>({
    icon: 'notebook',
    enablement: always,
  }),
  'fleetwright.notebook.toggleRecent': fromMenus<[cell?: object]>({
    icon: 'history',
    enablement: always,
  }),
  'fleetwright.organization.create': offered({ icon: 'add', palette: canChange }),
  'fleetwright.organization.delete': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.organization.openMetadata': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.organization.openSettings': offered<[target?: OrganizationTarget]>({ icon: 'gear' }),
  'fleetwright.organization.rename': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.part.addFragment': offered<[partOrDocument?: object]>({
    palette: all(canEdit, inPartConfig, not(readOnlyDocument)),
  }),
  'fleetwright.part.compareResolvedConfig': offered<[partOrDocument?: object]>({
    icon: 'diff',
    palette: any(inResolvedConfig, inPartConfig),
  }),
  'fleetwright.part.copyCredentials': offered<[target?: PartTarget]>({ palette: canInspect }),
  'fleetwright.part.copyFqdn': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.create': offered<[target?: MachineTarget]>({ icon: 'add', palette: canEdit }),
  'fleetwright.part.createFragment': offered<[partOrDocument?: object]>({
    palette: all(inPartConfig, canChange),
  }),
  'fleetwright.part.delete': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.markAsMain': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.markForRestart': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.openConfig': fromMenus<[target?: PartTarget]>({ icon: 'go-to-file' }),
  'fleetwright.part.openMetadata': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.openResolvedConfig': offered<[partOrDocument?: object]>({
    icon: 'layers',
    palette: inPartConfig,
  }),
  'fleetwright.part.openSecrets': fromMenus<[target?: PartTarget]>({ category: 'access' }),
  'fleetwright.part.rename': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.showConnectPage': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.showHistory': fromMenus<[target?: PartTarget]>({ icon: 'history' }),
  'fleetwright.part.showLogs': fromMenus<Selection>({ icon: 'output' }),
  'fleetwright.query.open': offered<[target?: QueryableTarget]>({ icon: 'search' }),
  'fleetwright.query.openText': internal<[query: InitialQuery]>(),
  'fleetwright.query.showHistory': offered({ icon: 'history' }),
  'fleetwright.queryFile.chooseOrganization': offered<[file?: object]>({
    icon: 'organization',
    enablement: always,
    palette: inQueryFile,
  }),
  'fleetwright.queryFile.run': offered<[file?: object, statement?: number]>({
    icon: 'play',
    enablement: always,
    palette: inQueryFile,
    keybinding: {
      key: 'ctrl+enter',
      mac: 'cmd+enter',
      when: all(isSet('editorTextFocus'), inQueryFile),
    },
  }),
  'fleetwright.queryFile.toggleRecent': offered<[file?: object]>({
    icon: 'history',
    enablement: always,
    palette: any(inNotebook, inMqlFile),
  }),
  'fleetwright.readings.deleteOlder': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.registry.clearFilter': offered({ icon: 'clear-all', enablement: registryFiltered }),
  'fleetwright.registry.filter': fromMenus<[target?: OrganizationTarget]>({ icon: 'filter' }),
  'fleetwright.registry.search': offered({ icon: 'search' }),
  'fleetwright.registryItem.changeDescription': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.changeUrl': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.changeVisibility': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.create': offered<[target?: OrganizationTarget]>({
    icon: 'add',
    palette: canEdit,
  }),
  'fleetwright.registryItem.delete': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.deploy': offered({ palette: canEdit }),
  'fleetwright.registryItem.edit': offered({ palette: canEdit }),
  'fleetwright.registryItem.show': fromMenus<[target?: ShowableRegistryItem]>({ icon: 'package' }),
  'fleetwright.registryVersion.delete':
    fromMenus<[target?: RegistryItemTarget, version?: unknown]>(),
  'fleetwright.registryVersion.download': fromMenus<
    [target?: RegistryItemTarget, version?: unknown]
  >({ icon: 'cloud-download' }),
  'fleetwright.resource.copyId': internal<[target: FleetTarget]>(),
  'fleetwright.resource.copyName': internal<[target: FleetTarget]>(),
  'fleetwright.resource.delete': offered({ palette: canEdit }),
  'fleetwright.resource.explainPermissions': offered<[targetOrDocument?: object]>({
    category: 'access',
    icon: 'lock',
  }),
  'fleetwright.resource.find': offered({ icon: 'search' }),
  'fleetwright.resource.openConfig': offered(),
  'fleetwright.resource.openMetadata': offered(),
  'fleetwright.resource.openSecrets': offered({ category: 'access', palette: canInspect }),
  'fleetwright.resource.rename': offered({ palette: canEdit }),
  'fleetwright.resource.restart': offered({ palette: canChange }),
  'fleetwright.resource.reveal': internal<[target: FleetTarget]>(),
  'fleetwright.resource.showLogs': offered(),
  'fleetwright.resource.showRoles': fromMenus<[target?: RoleScopeTarget]>({
    category: 'access',
    icon: 'organization',
  }),
  'fleetwright.role.add': fromMenus<[target?: IdentityTarget]>({ icon: 'add' }),
  'fleetwright.role.change': fromMenus<[target?: RoleTarget]>({ icon: 'edit' }),
  'fleetwright.role.remove': fromMenus<[target?: RoleTarget]>(),
  'fleetwright.rollout.close': fromMenus({ icon: 'close', enablement: always }),
  'fleetwright.rollout.loadMore': internal<[node: object]>(),
  'fleetwright.rollout.refresh': fromMenus({ icon: 'refresh', enablement: always }),
  'fleetwright.training.cancel': offered<[target?: TrainingJobTarget]>({
    palette: all(inTrainingPanel, canChange),
  }),
  'fleetwright.training.delete': offered<[target?: TrainingJobTarget]>({
    palette: all(inTrainingPanel, canChange),
  }),
  'fleetwright.training.show': offered<[target?: ShowableTraining]>({
    icon: 'mortar-board',
    palette: canInspect,
  }),
  'fleetwright.training.submit': offered<[datasetOrJob?: object]>({
    icon: 'beaker',
    palette: canEdit,
  }),
  'fleetwright.training.submitCustom': offered<[scriptOrJob?: object]>({ palette: canEdit }),
  'fleetwright.trainingScript.upload': offered<[place?: object]>({
    icon: 'cloud-upload',
    palette: canEdit,
  }),
} as const;

export type CommandId = keyof typeof commands;

/** Argument list of one command. */
export type CommandArguments<K extends CommandId> =
  (typeof commands)[K] extends CommandSpec<infer Arguments> ? Arguments : never;

/** Commands that can be called without an argument. */
export type PlainCommandId = {
  [K in CommandId]: [] extends CommandArguments<K> ? K : never;
}[CommandId];

/** Middle segment of the IDs. */
type Segment = CommandId extends infer Id
  ? Id extends `fleetwright.${infer Name}.${string}`
    ? Name
    : never
  : never;

/**
 * Categories of commands, by the middle segment of their IDs. Other commands have the product name
 * as their category.
 */
export const categories: Readonly<Partial<Record<Segment, Category>>> = {
  apiKey: 'access',
  app: 'modules',
  data: 'data',
  database: 'data',
  dataset: 'data',
  invite: 'access',
  member: 'access',
  model: 'training',
  module: 'modules',
  moduleManifest: 'modules',
  notebook: 'query',
  query: 'query',
  queryFile: 'query',
  readings: 'data',
  registry: 'modules',
  registryItem: 'modules',
  registryVersion: 'modules',
  role: 'access',
  training: 'training',
  trainingScript: 'training',
};
