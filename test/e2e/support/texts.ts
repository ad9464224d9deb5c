import manifest from '../../../package.json';
import titles from '../../../package.nls.json';
import type bundle from '../../../l10n/bundle.l10n.json';

/**
 * The texts of the extension that journeys look up, by an ID. After a text is reworded, the type
 * check reports it here and nowhere else.
 */
const texts = {
  aMachine: 'A machine',
  accept: 'Accept',
  acceptAll: 'Accept All',
  acceptAndSave: 'Accept and Save',
  accuracy: 'Accuracy',
  add: 'Add',
  addFragment: 'Add Fragment "{0}"',
  addRole: '$(add) Add Role…',
  addToDataset: 'Add to Dataset…',
  addedTags: 'Add Tags to {0}',
  addressRule: 'The address must begin with https:// or http://.',
  allData: 'All Data',
  allowChanges: 'Allow Changes',
  allowChangesChoice: '$(edit) Allow Changes',
  allowChangesIn: 'Allow changes in "{0}"?',
  alreadyMember: '{0} is already a member. Add a role to the existing member instead.',
  alwaysLatest: 'Always the latest release',
  apiKeys: 'API Keys',
  applyToOne: 'Apply to 1 Machine',
  awaitingSetup: 'Awaiting setup',
  back: 'Back',
  backOnline: '"{0}" has restarted and is back online.',
  buildFailed:
    'The build of {0} failed with exit code {1}. See the terminal for details. Errors with a file and line also appear in the Problems view.',
  builtFor: 'Built {0} for {1}.',
  callMethod: 'Call {0}',
  cancel: 'Cancel',
  canceled: 'Canceled',
  cannotMoveIntoItself:
    '"{0}" can\'t be moved into itself or into a location inside it. Select another parent.',
  cannotTry:
    'You can\'t try "{0}" here. Only models trained by the fleet service are supported, not uploaded models or models from training scripts.',
  changeItForThisMachineOnly: 'Change It for This Machine Only',
  changeTo: 'Change to {0}',
  changedByOwnKey:
    'Another window or program that uses your API key changed this document on {0} while you were editing.',
  chart: 'Chart',
  chartLineValues: 'Chart line values',
  chartValues: 'Chart values',
  classificationSingleLabel: 'Classification (single label)',
  clearAll: 'Clear All',
  close: 'Close',
  closeReview: 'Close Review',
  completed: 'Completed',
  componentName: 'Component Name',
  connectMachine: 'Connect {0}',
  connectionLostFor: 'Connection lost for {0}.',
  continue: 'Continue',
  copyBothAsEnvironmentVariables: 'Copy Both as Environment Variables',
  copyId: 'Copy ID',
  copyRequest: 'Copy Request',
  createFragment: 'Create Fragment',
  dataTab: 'Data: {0}',
  datasetItemsStay: "The {0} items in the dataset aren't deleted.",
  datasets: 'Datasets',
  debug: 'Debug',
  deployModule: 'Deploy Module "{0}"',
  deployModuleVersion: 'Deploy Module {0} {1}',
  discardAndReload: 'Discard and Reload',
  doneCount: '{0} done',
  drawBox: 'Draw Box',
  drawBoxesOn: 'Draw boxes on {0} more.',
  editFragment: 'Edit the fragment "{0}"',
  emailInvitationSent: 'Sent {0} an email invitation to "{1}".',
  export: 'Export…',
  exportAll: 'Export All…',
  exportLines: 'Export Lines',
  exportedItems: 'Exported {0} items to {1}.',
  exportedLines: 'Exported {0} lines to {1}.',
  exportedRows: 'Exported {0} rows to {1}.',
  failed: 'Failed',
  failureReason: 'Failure reason',
  filter: 'Filter',
  filterFleetView: 'Filter Fleet View',
  filterLines: 'Filter lines',
  filterState: 'Filter: {0}.',
  findPart: 'Find Part…',
  fragments: 'Fragments',
  history: 'History',
  howToConnect: 'How to Connect',
  imageCount: '{0} images',
  imageName: 'Image: {0}',
  images: 'Images',
  inUse: 'in use',
  info: 'Info',
  invalidEmail: 'Enter a valid email address, for example name@example.com.',
  invitationNeedsRole: 'An invitation must have at least one role.',
  invitationResent: 'Sent the invitation to {0} again.',
  invited: 'invited',
  itemCount: '{0} items',
  jobSubmitted: 'Submitted the training job for {0}, version {1}.',
  keepMine: 'Keep Mine',
  keepVisibility: 'Keep {0}',
  keyIdRule: 'A key ID looks like 0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a.',
  keyRejected:
    "The service doesn't accept this API key. Check the key and its ID, then sign in again.",
  keyShownOnce: "The key can't be shown again.",
  label: 'Label',
  labelsRequired: '{0}: select at least one label',
  labelsUnsaved:
    'A review of labels proposed by "{0}" was closed with {1} unsaved accepted labels.',
  levels: 'Levels',
  limitToLastDay: 'Limit to the last day',
  linesLoaded: '{0} missed lines were loaded.',
  liveState: 'live',
  localFleet: 'Local Fleet',
  localFleetStopped: 'The local fleet is not running. Start it again.',
  localRun: 'Local Run of {0}',
  location: 'Location',
  logsTab: 'Logs: {0}',
  machinesMatch: '{0} of {1} machines match',
  machinesUsing: 'Machines using "{0}": {1} of {2}',
  mainPartOfEach: 'The Main Part of Each Machine ({0})',
  makePublicAndUnlisted: 'Make Public and Unlisted',
  makeVisibility: 'Make {0}',
  matchCount: '{0} of {1} match',
  members: 'Members',
  merge: 'Merge',
  mergedDiff: '{0}: Remote ↔ Merged (Not Saved)',
  modelServiceAndVisionService: 'Model Service and Vision Service',
  modelsAndScripts: 'Models and Scripts',
  moduleCreated: 'Created {0}. It is private and has no versions until you upload a build.',
  modules: 'Modules',
  more: 'More',
  move: 'Move',
  moveInto: 'Move {0} into "{1}"?',
  moveToTop: 'Move {0} to the top level of "{1}"?',
  nameRule: 'A name can contain only letters, digits, dashes, and underscores.',
  newDataset: 'New Dataset…',
  newKey: 'New API Key "{0}"',
  newKeyWithRoles: 'New API Key with the Roles of "{0}"',
  newMachineName: 'New name for the machine "{0}"',
  newModel: 'New Model…',
  noDataPermission: 'Your API key doesn\'t have permission to view captured data in "{0}".',
  noLinesLogged: 'No lines were logged in the meantime.',
  noLowerBound:
    'The filter has no lower bound for {0}. Without one, the public cloud returns no data, and other services search all readings, which takes longer as data grows.',
  notConnected: 'Not connected',
  notFetchedYet: 'not fetched yet',
  notReady: 'Not ready: {0}',
  notResponding: '{0}: not responding',
  nothingSaved: 'Nothing was saved. Your edits are still in the editor.',
  nothingToUpdate: 'The registry already matches the manifest of {0}. Nothing to update.',
  offline: 'Offline',
  offlineSince: 'offline · last seen {0}',
  oldKeyWindows: 'Windows that are signed in with the old key switch to the new key.',
  oneLabelUnsaved: '1 accepted label is not saved.',
  oneLineLoaded: '1 missed line was loaded.',
  online: 'Online',
  onlyRow: 'Showing the only row',
  operator: 'Operator',
  operatorOfALocation: 'Operator of a location',
  operatorOfLocation: 'Operator of location "{0}"',
  operatorOfTheOrganization: 'Operator of the organization',
  otherLevel: 'Other',
  overwrite: 'Overwrite',
  owner: 'Owner',
  ownerOfALocation: 'Owner of a location',
  ownerOfLocation: 'Owner of location "{0}"',
  ownerOfTheOrganization: 'Owner of the organization',
  parameterValue: 'Value of the parameter {0}',
  partHasFiles: '{0} of {1} files are already in this part.',
  partsUseFragment: '{0} parts use this fragment and get the change.',
  pause: 'Pause',
  pointClouds: 'Point Clouds',
  pointCount: '{0} points in {1} rows, from {2} to {3}',
  predictionsOf: 'Predictions of {0}',
  preview: 'Preview: {0}',
  previewOfReadings: 'Preview of Readings',
  proposals: 'Proposals: {0}, accepted: {1}, rejected: {2}',
  public: 'public',
  publicUnlisted: 'public, unlisted',
  queryIn: 'Query in {0}',
  queryProblems: 'Query problems',
  queryTab: 'Query: {0}',
  queryTheseReadings: 'Query These Readings',
  readOnly: 'Read-only',
  readOnlyChoice: '$(lock) Read-Only',
  readOnlyConnection:
    'The connection "{0}" is read-only. To change anything, allow changes in the connection first.',
  readOnlyMark: 'read-only',
  readOnlyStatus: '{0}: read-only',
  readingCount: '{0} readings',
  readings: 'Readings',
  refresh: 'Refresh',
  registerModule: 'Register Module',
  registered: 'Registered: {0}.',
  reload: 'Reload',
  remove: 'Remove',
  removeRole: 'Remove Role',
  removesSome: 'It removes {0} resources: {1}.',
  requiredRole: 'Required role: {0}.',
  resolvedDiff: '{0}: Config ↔ Resolved Config',
  respondsAgain: '{0} is responding again.',
  restart: 'Restart',
  restore: 'Restore',
  resultTab: 'Result: {0}',
  resume: 'Resume ({0} new lines)',
  resumeReview: 'Resume Review',
  retrying: 'retrying',
  rolesOn: 'Roles on "{0}"',
  rolloutApplied: 'Up to date',
  rolloutCount: 'Rollout: {0} of {1}',
  rolloutPending: 'Pending',
  rotate: 'Rotate',
  rotatedKey: 'New Key for "{0}" (Now in Use)',
  rowsDiscarded:
    'The rows were discarded when the window was reloaded. Run the statement again to view them.',
  run: 'Run',
  runAgain: 'Run Again',
  running: 'Running',
  save: 'Save',
  saveAccepted: 'Save {0} Accepted',
  saveLabels: 'Save labels for {0}',
  saved: 'Saved',
  searchEarlierQueries: 'Search earlier queries',
  selectAnOrganization: 'Select an Organization',
  selectPlatform: 'Select Platform for {0}…',
  selectValue: 'Select the value of {0} from the fleet',
  selectedCount: '{0} selected',
  sendEmail: '$(mail) Send Email',
  severalMachines: 'Several Machines…',
  showChanges: 'Show Changes',
  showKeyAgain: 'Show Key Again',
  showModel: 'View Model',
  showTraining: 'Show Training',
  signIn: 'Sign In',
  signOut: 'Sign Out',
  skipDuplicates: 'Skip Duplicates',
  skippedCount: '{0} skipped',
  startLocalFleet: '$(rocket) Start Local Fleet',
  status: 'Status',
  stopModule: 'Stop Module',
  stopTraining: 'Stop Training',
  submitAgain: 'Submit Again…',
  submitAnyway: 'Submit Anyway',
  table: 'Table',
  tagList: 'Tags: {0}',
  tags: 'Tags',
  theConfig: 'the config of "{0}" on machine "{1}" in {2}',
  theLocation: 'the location "{0}"',
  throughLink: '{0} resolves to this path through a link to a folder outside the module.',
  trainVersion: 'Train {0} {1}',
  tryModelOnImage: 'Try Model on Image…',
  typeToConfirm: 'Type "{0}" to confirm.',
  undo: 'Undo',
  update: 'Update',
  updated: 'Updated {0}.',
  uploadAgain: 'Upload Again',
  uploadFailed: "Couldn't upload {0} {1} for {2}. {3}",
  uploadFiles: 'Upload {0} files ({1}) to {2}',
  uploadModuleVersion: 'Upload Module Version',
  uploadTo: 'Upload {0} to {1}',
  uploadVersion: 'Upload {0} of {1} for {2} ({3})',
  uploaded: 'Uploaded {0} {1} for {2}.',
  useInThisConfig: 'Use in This Config',
  useOnMachine: 'Deploy to Machine…',
  useRegularExpression: 'Use Regular Expression',
  version: 'Version: {0}',
  visibleById: "Anyone who knows its ID can see and use it, but lists don't show it",
  warning: 'Warning',
} as const satisfies Readonly<Record<string, keyof typeof bundle>>;

/** ID of a text that journeys look up. */
type TextId = keyof typeof texts;

type TitleKey = keyof typeof titles;

/** ID of one of the extension's commands. */
export type CommandId = TitleKey extends infer Key
  ? Key extends `command.${infer Name}`
    ? `fleetwright.${Name}`
    : never
  : never;

/**
 * Returns a text with its placeholders filled in, without icons. If values are missing, returns the
 * longest part of the text between the missing values, if possible a part with a given value;
 * lookups search for substrings.
 */
export function uiText(id: TextId, ...values: readonly (string | number | undefined)[]): string {
  const parts = texts[id]
    .replaceAll(/\$\([\w-]+\) /g, '')
    .replaceAll(/\{(\d)\}/g, (placeholder, index) =>
      values[Number(index)] === undefined ? '\n' : placeholder,
    )
    .split('\n');
  const withValues = parts.filter((part) => /\{\d\}/.test(part));
  return (withValues.length > 0 ? withValues : parts)
    .map((part) => part.replaceAll(/\{(\d)\}/g, (_, index) => String(values[Number(index)])).trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest));
}

/** Returns the title of a command without its category. */
export function getCommandTitle(command: CommandId): string {
  return titles[command.replace('fleetwright.', 'command.') as TitleKey];
}

/** Returns the title of a command with its category, as the command palette shows it. */
export function getPaletteTitle(command: CommandId): string {
  const category = manifest.contributes.commands.find((one) => one.command === command)?.category;
  return `${resolveText(category)}: ${getCommandTitle(command)}`;
}

/** Returns the labels of the submenus that contain a command. */
export function listSubmenus(command: CommandId): readonly string[] {
  const { menus, submenus } = manifest.contributes;
  const entries: Readonly<Record<string, readonly { readonly command?: string }[]>> = menus;
  return submenus
    .filter(({ id }) => entries[id]?.some((entry) => entry.command === command))
    .map(({ label }) => resolveText(label));
}

/** Returns the text for a reference of the manifest to `package.nls.json`, such as `%category.data%`. */
function resolveText(reference = ''): string {
  const all: Readonly<Record<string, string>> = titles;
  return all[reference.replaceAll('%', '')] ?? reference;
}
