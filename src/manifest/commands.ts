import type { ConfigChange } from '../core/bulk/changePlan';
import type { DocumentAddress } from '../core/documents/documentAddress';
import type { RevisionKey } from '../core/documents/revisionList';
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
  RegistryVersionTarget,
  ResourceTarget,
  RoleTarget,
  TrainingJobTarget,
} from '../core/model/resourceTarget';
import type { QueryLanguage } from '../core/model/query';

/** Document, identified by its URI or by a number in a message. */
export type DocumentArgument = object | number;

/** Version of a document and its display name, such as its time. */
export interface RevisionArgument {
  readonly key: RevisionKey;
  readonly label: string;
  /** Time of the version, formatted for display; absent for the first version. */
  readonly time?: string | undefined;
}

/** Clicked resource, and the whole selection if more than one item is selected. */
export type Selection = [clicked?: ResourceTarget, selected?: readonly FleetTarget[]];

/** Resource whose captured data can be browsed. */
export type BrowsableTarget =
  | OrganizationTarget
  | LocationTarget
  | MachineTarget
  | PartTarget
  | DatasetTarget;

/** Resource whose readings can be queried. */
export type QueryableTarget = OrganizationTarget | LocationTarget | MachineTarget | PartTarget;

/**
 * Target for showing the training jobs of an organization. If the target is a job, that job is
 * selected.
 */
export type ShowableTraining = OrganizationTarget | DatasetTarget | TrainingJobTarget;

/**
 * Target for showing the page of a registry item. For a version of a model, the page shows the
 * metrics of that version.
 */
export type ShowableRegistryItem = RegistryItemTarget | RegistryVersionTarget;

/** Query to insert into the query panel of an organization. */
export interface InitialQuery {
  readonly organization: OrganizationTarget;
  readonly language: QueryLanguage;
  readonly text: string;
}

/** Command with the types of its arguments. */
export interface CommandSpec<Arguments extends readonly unknown[]> {
  /**
   * True if the Command Palette offers the command. Commands that require an argument are hidden
   * there.
   */
  readonly palette: boolean;
  /** Exists only for type inference and has no value. */
  readonly arguments?: Arguments;
}

/**
 * Defines a command of the Command Palette. If the target is missing, the command prompts for it.
 */
const offered = <Arguments extends readonly unknown[] = []>(): CommandSpec<Arguments> => ({
  palette: true,
});

/**
 * Defines a command that menus contain. If the command also has a keybinding, it prompts for a
 * missing target.
 */
const fromMenus = <Arguments extends readonly unknown[] = []>(): CommandSpec<Arguments> => ({
  palette: false,
});

/** Specifies a command that only menus, buttons, and other commands can call. */
const internal = <Arguments extends readonly unknown[]>(): CommandSpec<Arguments> => ({
  palette: false,
});

/**
 * All commands, both those contributed by package.json and internal ones. The menu of a tree item
 * passes the item, and the command registry passes the item's `target` to the command.
 */
export const commands = {
  'fleetwright.apiKey.create':
    offered<[target?: OrganizationTarget | LocationTarget | MachineTarget]>(),
  'fleetwright.apiKey.delete': fromMenus<[target?: ApiKeyTarget]>(),
  'fleetwright.apiKey.duplicate': fromMenus<[target?: ApiKeyTarget]>(),
  'fleetwright.apiKey.rotate': fromMenus<[target?: ApiKeyTarget]>(),
  'fleetwright.app.show': offered(),
  'fleetwright.bulk.apply': offered<Selection>(),
  'fleetwright.bulk.applyChange': internal<[change: ConfigChange]>(),
  'fleetwright.bulk.applyPreview': offered(),
  'fleetwright.bulk.cancelPreview': offered(),
  'fleetwright.bulk.delete': fromMenus<Selection>(),
  'fleetwright.bulk.restart': fromMenus<Selection>(),
  'fleetwright.bulk.retryFailed': offered(),
  'fleetwright.bulk.setMetadata': fromMenus<Selection>(),
  'fleetwright.bulk.usePatch': offered(),
  'fleetwright.connection.signIn': offered(),
  'fleetwright.connection.signOut': offered(),
  'fleetwright.connection.switch': offered(),
  'fleetwright.data.browse': offered<[target?: BrowsableTarget]>(),
  'fleetwright.data.openSavedFilter': offered(),
  'fleetwright.data.uploadFiles': offered<[clicked?: object, selected?: readonly object[]]>(),
  'fleetwright.data.uploadReadings': offered<[clicked?: object, selected?: readonly object[]]>(),
  'fleetwright.database.setPassword': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.database.show': offered<[target?: OrganizationTarget]>(),
  'fleetwright.dataset.checkAgain': offered<[report?: object]>(),
  'fleetwright.dataset.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.dataset.delete': fromMenus<[target?: DatasetTarget]>(),
  'fleetwright.dataset.export': offered<[target?: DatasetTarget]>(),
  'fleetwright.dataset.rename': fromMenus<[target?: DatasetTarget]>(),
  'fleetwright.dataset.showReadiness': fromMenus<[target?: DatasetTarget]>(),
  'fleetwright.document.acceptMerge': offered<[document?: object]>(),
  'fleetwright.document.compare': offered<[document?: DocumentArgument]>(),
  'fleetwright.document.compareRevisions':
    internal<[document: DocumentAddress, older: RevisionArgument, newer: RevisionArgument]>(),
  'fleetwright.document.createFragment': offered<[document?: object]>(),
  'fleetwright.document.discardMerge': offered<[document?: object]>(),
  'fleetwright.document.merge': offered<[document?: DocumentArgument]>(),
  'fleetwright.document.overwrite': offered<[document?: DocumentArgument]>(),
  'fleetwright.document.reload': offered<[document?: DocumentArgument]>(),
  'fleetwright.document.resolve': offered<[document?: DocumentArgument]>(),
  'fleetwright.document.restore':
    internal<[document: DocumentAddress, revision: RevisionArgument]>(),
  'fleetwright.document.saveCopy': offered<[document?: DocumentArgument]>(),
  'fleetwright.document.showHistory': offered<[document?: object]>(),
  'fleetwright.fleet.clearFilter': offered(),
  'fleetwright.fleet.filter': offered(),
  'fleetwright.fleet.groupByFragment': fromMenus(),
  'fleetwright.fleet.groupByLocation': fromMenus(),
  'fleetwright.fleet.groupByStatus': fromMenus(),
  'fleetwright.fleet.groupMachines': offered(),
  'fleetwright.fleet.groupedByFragment': internal<[]>(),
  'fleetwright.fleet.groupedByLocation': internal<[]>(),
  'fleetwright.fleet.groupedByStatus': internal<[]>(),
  'fleetwright.fleet.loadMore': internal<[node: object]>(),
  'fleetwright.fleet.refresh': offered(),
  'fleetwright.fleet.renameSelected': internal<[]>(),
  'fleetwright.fleet.retry': internal<[node: object]>(),
  'fleetwright.fragment.changeVisibility': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.fragment.delete': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.openConfig': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.rename': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.showHistory': fromMenus<[target?: FragmentTarget]>(),
  'fleetwright.fragment.showMachines': offered<[fragmentOrDocument?: object]>(),
  'fleetwright.invite.change': fromMenus<[target?: InviteTarget]>(),
  'fleetwright.invite.resend': fromMenus<[target?: InviteTarget]>(),
  'fleetwright.invite.withdraw': fromMenus<[target?: InviteTarget]>(),
  'fleetwright.localFleet.allowScripts': internal<[]>(),
  'fleetwright.localFleet.showLog': offered(),
  'fleetwright.localFleet.start': offered(),
  'fleetwright.localFleet.stop': offered(),
  'fleetwright.location.create': offered<[target?: OrganizationTarget | LocationTarget]>(),
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
  'fleetwright.location.openSecrets': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.rename': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.setRegion': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.share': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.showAccess': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.location.unshare': fromMenus<[target?: LocationTarget]>(),
  'fleetwright.log.show': offered(),
  'fleetwright.machine.create': offered<[target?: LocationTarget]>(),
  'fleetwright.machine.delete': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.openConfig': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.openMetadata': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.rename': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.restart': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.showApiKeys': fromMenus<[target?: MachineTarget]>(),
  'fleetwright.machine.showLogs': fromMenus<Selection>(),
  'fleetwright.member.copyEmail': internal<[target: MemberTarget | InviteTarget]>(),
  'fleetwright.member.find': fromMenus(),
  'fleetwright.member.invite': offered<[target?: OrganizationTarget]>(),
  'fleetwright.member.remove': fromMenus<[target?: MemberTarget]>(),
  'fleetwright.member.showOrganizations': fromMenus<[target?: MemberTarget]>(),
  'fleetwright.model.deploy': fromMenus<[modelOrPlace?: object, version?: string]>(),
  'fleetwright.module.addModel': offered<[manifest?: object]>(),
  'fleetwright.module.build': offered<[manifest?: object]>(),
  'fleetwright.module.create': offered<[manifest?: object]>(),
  'fleetwright.module.deploy': fromMenus<[moduleOrPlace?: object, version?: string]>(),
  'fleetwright.module.generate': offered(),
  'fleetwright.module.repeatUpload': offered<[manifest?: object]>(),
  'fleetwright.module.runLocally': offered<[manifest?: object]>(),
  'fleetwright.module.update': offered<[manifest?: object]>(),
  'fleetwright.module.uploadBuild': offered<[manifestOrModule?: object]>(),
  'fleetwright.moduleManifest.createScript': internal<[manifest: object, file: string]>(),
  'fleetwright.moduleManifest.makeExecutable': internal<[manifest: object, file: string]>(),
  'fleetwright.notebook.changeParameters': offered<[cell?: object]>(),
  'fleetwright.notebook.chooseOrganization': offered<[notebook?: object]>(),
  'fleetwright.notebook.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.notebook.toggleRecent': fromMenus<[cell?: object]>(),
  'fleetwright.organization.create': offered(),
  'fleetwright.organization.delete': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.organization.openMetadata': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.organization.openSettings': offered<[target?: OrganizationTarget]>(),
  'fleetwright.organization.rename': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.part.addFragment': offered<[partOrDocument?: object]>(),
  'fleetwright.part.compareResolvedConfig': offered<[partOrDocument?: object]>(),
  'fleetwright.part.copyCredentials': offered<[target?: PartTarget]>(),
  'fleetwright.part.copyFqdn': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.create': offered<[target?: MachineTarget]>(),
  'fleetwright.part.createFragment': offered<[partOrDocument?: object]>(),
  'fleetwright.part.delete': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.markAsMain': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.markForRestart': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.openConfig': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.openMetadata': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.openResolvedConfig': offered<[partOrDocument?: object]>(),
  'fleetwright.part.openSecrets': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.rename': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.showConnectPage': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.showHistory': fromMenus<[target?: PartTarget]>(),
  'fleetwright.part.showLogs': fromMenus<Selection>(),
  'fleetwright.query.open': offered<[target?: QueryableTarget]>(),
  'fleetwright.query.openText': internal<[query: InitialQuery]>(),
  'fleetwright.query.showHistory': offered(),
  'fleetwright.queryFile.chooseOrganization': offered<[file?: object]>(),
  'fleetwright.queryFile.run': offered<[file?: object, statement?: number]>(),
  'fleetwright.queryFile.toggleRecent': offered<[file?: object]>(),
  'fleetwright.readings.deleteOlder': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.registry.clearFilter': offered(),
  'fleetwright.registry.filter': fromMenus<[target?: OrganizationTarget]>(),
  'fleetwright.registry.search': offered(),
  'fleetwright.registryItem.changeDescription': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.changeUrl': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.changeVisibility': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.registryItem.delete': fromMenus<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.deploy': offered(),
  'fleetwright.registryItem.edit': offered(),
  'fleetwright.registryItem.show': fromMenus<[target?: ShowableRegistryItem]>(),
  'fleetwright.registryVersion.delete':
    fromMenus<[target?: RegistryItemTarget, version?: unknown]>(),
  'fleetwright.registryVersion.download':
    fromMenus<[target?: RegistryItemTarget, version?: unknown]>(),
  'fleetwright.resource.copyId': internal<[target: FleetTarget]>(),
  'fleetwright.resource.copyName': internal<[target: FleetTarget]>(),
  'fleetwright.resource.delete': offered(),
  'fleetwright.resource.explainPermissions': offered<[targetOrDocument?: object]>(),
  'fleetwright.resource.find': offered(),
  'fleetwright.resource.openConfig': offered(),
  'fleetwright.resource.openMetadata': offered(),
  'fleetwright.resource.openSecrets': offered(),
  'fleetwright.resource.rename': offered(),
  'fleetwright.resource.restart': offered(),
  'fleetwright.resource.reveal': internal<[target: FleetTarget]>(),
  'fleetwright.resource.showLogs': offered(),
  'fleetwright.resource.showRoles':
    fromMenus<[target?: OrganizationTarget | LocationTarget | MachineTarget]>(),
  'fleetwright.role.add': fromMenus<[target?: IdentityTarget]>(),
  'fleetwright.role.change': fromMenus<[target?: RoleTarget]>(),
  'fleetwright.role.remove': fromMenus<[target?: RoleTarget]>(),
  'fleetwright.training.cancel': offered<[target?: TrainingJobTarget]>(),
  'fleetwright.training.delete': offered<[target?: TrainingJobTarget]>(),
  'fleetwright.training.show': offered<[target?: ShowableTraining]>(),
  'fleetwright.training.submit': offered<[datasetOrJob?: object]>(),
  'fleetwright.training.submitCustom': offered<[scriptOrJob?: object]>(),
  'fleetwright.trainingScript.upload': offered<[place?: object]>(),
} as const;

export type CommandId = keyof typeof commands;

/** Argument list of one command. */
export type CommandArguments<K extends CommandId> =
  (typeof commands)[K] extends CommandSpec<infer Arguments> ? Arguments : never;

/** Commands that can be called without an argument. */
export type PlainCommandId = {
  [K in CommandId]: [] extends CommandArguments<K> ? K : never;
}[CommandId];
