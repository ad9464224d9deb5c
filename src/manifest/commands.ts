import type { ConfigChange } from '../core/bulk/configChange';
import type { DocumentAddress } from '../core/documents/documentAddress';
import type { RevisionKey } from '../core/documents/revisionList';
import type {
  ApiKeyTarget,
  IdentityTarget,
  InviteTarget,
  MemberTarget,
  RoleTarget,
} from '../core/model/accessTarget';
import type { QueryLanguage } from '../core/model/query';
import type {
  DatasetTarget,
  FleetTarget,
  FragmentTarget,
  LocationTarget,
  MachineTarget,
  OrganizationTarget,
  PartTarget,
  RegistryItemTarget,
  RegistryVersionTarget,
  ResourceTarget,
  TrainingJobTarget,
} from '../core/model/resourceTarget';

/** A document: its URI, or the number by which a message refers to it. */
export type DocumentArgument = object | number;

/** A state of a document, and how to call it to a person, such as its time. */
export interface RevisionArgument {
  readonly key: RevisionKey;
  readonly label: string;
}

/** The resource that was clicked, and all that are selected when it is one of several. */
export type Selection = [clicked?: ResourceTarget, selected?: readonly FleetTarget[]];

/** What captured data is browsed of. */
export type BrowsableTarget =
  | OrganizationTarget
  | LocationTarget
  | MachineTarget
  | PartTarget
  | DatasetTarget;

/** Of what readings are asked by queries. */
export type QueryableTarget = OrganizationTarget | LocationTarget | MachineTarget | PartTarget;

/** Whose training jobs are shown: all of an organization, with one of them selected where one is named. */
export type ShowableTraining = OrganizationTarget | DatasetTarget | TrainingJobTarget;

/** Whose page is shown: of a model, the figures of a version are where one is named. */
export type ShowableRegistryItem = RegistryItemTarget | RegistryVersionTarget;

/** A query that is put into the query panel of an organization. */
export interface GivenQuery {
  readonly organization: OrganizationTarget;
  readonly language: QueryLanguage;
  readonly text: string;
}

/** A command with the types of its arguments. */
export interface CommandSpec<Arguments extends readonly unknown[]> {
  /** Whether the command palette offers it; one that needs an argument is hidden there. */
  readonly palette: boolean;
  /** Only there for the type. */
  readonly arguments?: Arguments;
}

/** A command the palette offers. It asks for an optional target that was not given. */
const offered = <Arguments extends readonly unknown[] = []>(): CommandSpec<Arguments> => ({
  palette: true,
});

/** A command that only menus, buttons and other commands call. */
const internal = <Arguments extends readonly unknown[]>(): CommandSpec<Arguments> => ({
  palette: false,
});

/**
 * Every command that package.json contributes, and some that only the product calls. A tree item's
 * menu passes the item; the command registry hands on the `target` it carries.
 */
export const commands = {
  'fleetwright.apiKey.create':
    offered<[target?: OrganizationTarget | LocationTarget | MachineTarget]>(),
  'fleetwright.apiKey.delete': offered<[target?: ApiKeyTarget]>(),
  'fleetwright.apiKey.duplicate': offered<[target?: ApiKeyTarget]>(),
  'fleetwright.apiKey.rotate': offered<[target?: ApiKeyTarget]>(),
  'fleetwright.app.show': offered(),
  'fleetwright.bulk.apply': offered<Selection>(),
  'fleetwright.bulk.applyChange': internal<[change: ConfigChange]>(),
  'fleetwright.bulk.applyPreview': offered(),
  'fleetwright.bulk.cancelPreview': offered(),
  'fleetwright.bulk.delete': offered<Selection>(),
  'fleetwright.bulk.restart': offered<Selection>(),
  'fleetwright.bulk.retryFailed': offered(),
  'fleetwright.bulk.setMetadata': offered<Selection>(),
  'fleetwright.bulk.usePatch': offered(),
  'fleetwright.connection.signIn': offered(),
  'fleetwright.connection.signOut': offered(),
  'fleetwright.connection.switch': offered(),
  'fleetwright.data.browse': offered<[target?: BrowsableTarget]>(),
  'fleetwright.data.openSavedFilter': offered(),
  'fleetwright.data.uploadFiles': offered<[clicked?: object, selected?: readonly object[]]>(),
  'fleetwright.data.uploadReadings': offered<[clicked?: object, selected?: readonly object[]]>(),
  'fleetwright.database.setPassword': offered<[target?: OrganizationTarget]>(),
  'fleetwright.database.show': offered<[target?: OrganizationTarget]>(),
  'fleetwright.dataset.checkAgain': offered<[report?: object]>(),
  'fleetwright.dataset.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.dataset.delete': offered<[target?: DatasetTarget]>(),
  'fleetwright.dataset.export': offered<[target?: DatasetTarget]>(),
  'fleetwright.dataset.rename': offered<[target?: DatasetTarget]>(),
  'fleetwright.dataset.showReadiness': offered<[target?: DatasetTarget]>(),
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
  'fleetwright.fleet.groupByFragment': offered(),
  'fleetwright.fleet.groupByLocation': offered(),
  'fleetwright.fleet.groupByStatus': offered(),
  'fleetwright.fleet.groupedByFragment': internal<[]>(),
  'fleetwright.fleet.groupedByLocation': internal<[]>(),
  'fleetwright.fleet.groupedByStatus': internal<[]>(),
  'fleetwright.fleet.loadMore': internal<[node: object]>(),
  'fleetwright.fleet.refresh': offered(),
  'fleetwright.fleet.renameSelected': internal<[]>(),
  'fleetwright.fleet.retry': internal<[node: object]>(),
  'fleetwright.fragment.changeVisibility': offered<[target?: FragmentTarget]>(),
  'fleetwright.fragment.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.fragment.delete': offered<[target?: FragmentTarget]>(),
  'fleetwright.fragment.openConfig': offered<[target?: FragmentTarget]>(),
  'fleetwright.fragment.rename': offered<[target?: FragmentTarget]>(),
  'fleetwright.fragment.showHistory': offered<[target?: FragmentTarget]>(),
  'fleetwright.fragment.showMachines': offered<[fragmentOrDocument?: object]>(),
  'fleetwright.invite.change': offered<[target?: InviteTarget]>(),
  'fleetwright.invite.resend': offered<[target?: InviteTarget]>(),
  'fleetwright.invite.withdraw': offered<[target?: InviteTarget]>(),
  'fleetwright.localFleet.allowScripts': internal<[]>(),
  'fleetwright.localFleet.showLog': offered(),
  'fleetwright.localFleet.start': offered(),
  'fleetwright.localFleet.stop': offered(),
  'fleetwright.location.create': offered<[target?: OrganizationTarget | LocationTarget]>(),
  'fleetwright.location.delete': offered<[target?: LocationTarget]>(),
  'fleetwright.location.move':
    offered<[target?: LocationTarget, selected?: readonly FleetTarget[]]>(),
  'fleetwright.location.moveInto':
    internal<
      [
        locations: readonly FleetTarget[],
        destination: OrganizationTarget | LocationTarget | undefined,
      ]
    >(),
  'fleetwright.location.openMetadata': offered<[target?: LocationTarget]>(),
  'fleetwright.location.openSecrets': offered<[target?: LocationTarget]>(),
  'fleetwright.location.rename': offered<[target?: LocationTarget]>(),
  'fleetwright.location.setRegion': offered<[target?: LocationTarget]>(),
  'fleetwright.location.share': offered<[target?: LocationTarget]>(),
  'fleetwright.location.showAccess': offered<[target?: LocationTarget]>(),
  'fleetwright.location.unshare': offered<[target?: LocationTarget]>(),
  'fleetwright.log.show': offered(),
  'fleetwright.machine.create': offered<[target?: LocationTarget]>(),
  'fleetwright.machine.delete': offered<[target?: MachineTarget]>(),
  'fleetwright.machine.openMetadata': offered<[target?: MachineTarget]>(),
  'fleetwright.machine.rename': offered<[target?: MachineTarget]>(),
  'fleetwright.machine.restart': offered<[target?: MachineTarget]>(),
  'fleetwright.machine.showApiKeys': offered<[target?: MachineTarget]>(),
  'fleetwright.machine.showLogs': offered<Selection>(),
  'fleetwright.member.copyEmail': internal<[target: MemberTarget | InviteTarget]>(),
  'fleetwright.member.find': offered(),
  'fleetwright.member.invite': offered<[target?: OrganizationTarget]>(),
  'fleetwright.member.remove': offered<[target?: MemberTarget]>(),
  'fleetwright.member.showOrganizations': offered<[target?: MemberTarget]>(),
  'fleetwright.model.deploy': offered<[modelOrPlace?: object, version?: string]>(),
  'fleetwright.module.addModel': offered<[manifest?: object]>(),
  'fleetwright.module.build': offered<[manifest?: object]>(),
  'fleetwright.module.create': offered<[manifest?: object]>(),
  'fleetwright.module.deploy': offered<[moduleOrPlace?: object, version?: string]>(),
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
  'fleetwright.notebook.toggleRecent': offered<[cell?: object]>(),
  'fleetwright.organization.create': offered(),
  'fleetwright.organization.delete': offered<[target?: OrganizationTarget]>(),
  'fleetwright.organization.openMetadata': offered<[target?: OrganizationTarget]>(),
  'fleetwright.organization.openSettings': offered<[target?: OrganizationTarget]>(),
  'fleetwright.organization.rename': offered<[target?: OrganizationTarget]>(),
  'fleetwright.part.addFragment': offered<[partOrDocument?: object]>(),
  'fleetwright.part.compareResolvedConfig': offered<[partOrDocument?: object]>(),
  'fleetwright.part.copyCredentials': offered<[target?: PartTarget]>(),
  'fleetwright.part.copyFqdn': offered<[target?: PartTarget]>(),
  'fleetwright.part.create': offered<[target?: MachineTarget]>(),
  'fleetwright.part.createFragment': offered<[partOrDocument?: object]>(),
  'fleetwright.part.delete': offered<[target?: PartTarget]>(),
  'fleetwright.part.markAsMain': offered<[target?: PartTarget]>(),
  'fleetwright.part.markForRestart': offered<[target?: PartTarget]>(),
  'fleetwright.part.openConfig': offered<[target?: PartTarget]>(),
  'fleetwright.part.openMetadata': offered<[target?: PartTarget]>(),
  'fleetwright.part.openResolvedConfig': offered<[partOrDocument?: object]>(),
  'fleetwright.part.openSecrets': offered<[target?: PartTarget]>(),
  'fleetwright.part.rename': offered<[target?: PartTarget]>(),
  'fleetwright.part.showHistory': offered<[target?: PartTarget]>(),
  'fleetwright.part.showLogs': offered<Selection>(),
  'fleetwright.query.open': offered<[target?: QueryableTarget]>(),
  'fleetwright.query.openText': internal<[query: GivenQuery]>(),
  'fleetwright.query.showHistory': offered(),
  'fleetwright.queryFile.chooseOrganization': offered<[file?: object]>(),
  'fleetwright.queryFile.run': offered<[file?: object, statement?: number]>(),
  'fleetwright.queryFile.toggleRecent': offered<[file?: object]>(),
  'fleetwright.readings.deleteOlder': offered<[target?: OrganizationTarget]>(),
  'fleetwright.registry.clearFilter': offered(),
  'fleetwright.registry.filter': offered<[target?: OrganizationTarget]>(),
  'fleetwright.registry.search': offered(),
  'fleetwright.registryItem.changeDescription': offered<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.changeUrl': offered<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.changeVisibility': offered<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.create': offered<[target?: OrganizationTarget]>(),
  'fleetwright.registryItem.delete': offered<[target?: RegistryItemTarget]>(),
  'fleetwright.registryItem.show': offered<[target?: ShowableRegistryItem]>(),
  'fleetwright.registryVersion.delete': offered<[target?: RegistryItemTarget, version?: unknown]>(),
  'fleetwright.registryVersion.download':
    offered<[target?: RegistryItemTarget, version?: unknown]>(),
  'fleetwright.resource.copyId': internal<[target: FleetTarget]>(),
  'fleetwright.resource.copyName': internal<[target: FleetTarget]>(),
  'fleetwright.resource.explainPermissions': internal<[target: FleetTarget]>(),
  'fleetwright.resource.find': offered(),
  'fleetwright.resource.reveal': internal<[target: FleetTarget]>(),
  'fleetwright.resource.showRoles':
    offered<[target?: OrganizationTarget | LocationTarget | MachineTarget]>(),
  'fleetwright.role.add': offered<[target?: IdentityTarget]>(),
  'fleetwright.role.change': offered<[target?: RoleTarget]>(),
  'fleetwright.role.remove': offered<[target?: RoleTarget]>(),
  'fleetwright.training.cancel': offered<[target?: TrainingJobTarget]>(),
  'fleetwright.training.delete': offered<[target?: TrainingJobTarget]>(),
  'fleetwright.training.show': offered<[target?: ShowableTraining]>(),
  'fleetwright.training.submit': offered<[datasetOrJob?: object]>(),
  'fleetwright.training.submitCustom': offered<[scriptOrJob?: object]>(),
  'fleetwright.trainingScript.upload': offered<[place?: object]>(),
} as const;

export type CommandId = keyof typeof commands;

/** The argument list of one command. */
export type CommandArguments<K extends CommandId> =
  (typeof commands)[K] extends CommandSpec<infer Arguments> ? Arguments : never;

/** Commands that can be called without an argument. */
export type PlainCommandId = {
  [K in CommandId]: [] extends CommandArguments<K> ? K : never;
}[CommandId];
