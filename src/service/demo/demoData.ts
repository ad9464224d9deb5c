import { isJsonObject } from '../../core/model/isJsonObject';
import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PCD_ENCODINGS } from '../../simulate/clouds/pcd';
import * as machineReadings from '../../simulate/readings/machineReadings';
import type { ReadingModel } from '../../simulate/readings/readingModel';
import { changeReaders, editConfig } from './editConfig';
import {
  anyText,
  boolean,
  count,
  joinKey,
  jsonObject,
  KeyError,
  list,
  number,
  object,
  oneOf,
  optional,
  type Read,
  type Reader,
  record,
  text,
} from './jsonReaders';

/** Error in the demo fleet's files. The message names the file, the key, and the problem. */
export class DemoDataError extends Error {
  override readonly name = 'DemoDataError';
}

export type CompanyPlan = ReturnType<typeof readCompany>;
export type FragmentPlan = CompanyPlan['fragments'][number];
export type AccessPlan = Pick<CompanyPlan, 'members' | 'keys' | 'shares'>;
export type RolePlan = Pick<AccessPlan['keys'][number], 'role' | 'location'>;
export type CapturesPlan = CompanyPlan['captures'];
export type RegistryPlan = CompanyPlan['registry'];
export type ModulePlan = RegistryPlan['modules'][number];
export type PackagePlan = RegistryPlan['packages'][number];

/**
 * Reads the demo fleet: one company per folder, in alphabetical order. The README.md next to the
 * folders describes the files.
 * @param folder folder that contains the demo data; by default, the one that comes with the
 *   service.
 * @throws DemoDataError if files are missing or invalid.
 */
export function readDemoData(folder = findDemoFolder()): CompanyPlan[] {
  if (!existsSync(folder)) {
    throw new DemoDataError(`the demo data is missing: copy media/demo to ${folder}`);
  }
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
  if (names.length === 0) {
    throw new DemoDataError(`the demo data is missing: ${folder} has no folder of a company`);
  }
  const companies = names.map((name) => readCompany(join(folder, name)));
  const shares = companies.flatMap((company) => company.shares);
  const unknown = shares.find((share) => !companies.some(({ name }) => name === share.with));
  if (unknown !== undefined) {
    throw new DemoDataError(
      `${folder}: "${unknown.location}" is shared with "${unknown.with}", but no organization.json has this name`,
    );
  }
  return companies;
}

/** Paths from the program to the folder that contains `media`: from `dist`, or from the sources. */
const ROOTS = ['..', '../..', '../../..'];

function findDemoFolder(): string {
  const folders = ROOTS.map((root) => join(__dirname, root, 'media', 'demo'));
  return folders.find((folder) => existsSync(folder)) ?? join(__dirname, '../media/demo');
}

/** Maximum age, which is younger than the first start of the service in the demo. */
const MAX_WORKING_DAYS = 80;

/** Age in working days before the demo is loaded. */
const workingDays: Reader<number> = (value, key) => {
  const days = count(value, key);
  if (days <= MAX_WORKING_DAYS) return days;
  throw new KeyError(key, `must be at most ${String(MAX_WORKING_DAYS)}`);
};

const editor = oneOf(['engineers', 'pipeline']);
/** Owner of the API key that makes an edit, as shown in histories. */
export type Editor = Read<typeof editor>;

const edit = object({ daysAgo: count, by: optional(editor, 'engineers'), ...changeReaders });

/** Keys for a part or fragment, which both have a config and edits, oldest first. */
const configKeys = { config: jsonObject, edits: optional(list(edit), []) };

/** Config after an edit. `daysAgo` counts working days before the demo is loaded. */
interface EditedConfig {
  daysAgo: number;
  by: Editor;
  /** Complete config, with fragment names in place of their IDs. */
  config: JsonObject;
}

const fragmentFile = object({
  daysAgo: count,
  // A separate date is necessary because fragments are created as private (spec part 3).
  shared: optional(
    object({ daysAgo: count, visibility: oneOf(['private', 'public', 'unlisted']) }),
  ),
  ...configKeys,
});

/** Last contact from a part, which is in continuous contact unless the file says otherwise. */
const lastContact: Reader<'live' | 'never' | { daysAgo: number }> = (value, key) =>
  isJsonObject(value)
    ? object({ daysAgo: count })(value, key)
    : oneOf(['live', 'never'])(value, key);

const partKeys = object({ lastContact: optional(lastContact, 'live'), ...configKeys });
export type PartPlan = Omit<Read<typeof partKeys>, 'edits'> & { edits: EditedConfig[] };

export interface MachinePlan {
  name: string;
  daysAgo: number;
  metadata?: JsonObject | undefined;
  /** Parts by name suffix, starting with `main`. */
  parts: Record<string, PartPlan>;
}

export interface LocationPlan {
  name: string;
  metadata?: JsonObject | undefined;
  machines: MachinePlan[];
  locations: LocationPlan[];
}

/** File of an archive. */
export interface FilePlan {
  path: string;
  text: string;
  isExecutable?: boolean;
}

/** Reads one company's files. */
function readCompany(folder: string) {
  let organizationAge = 0;
  const fragmentAges = new Map<string, number>();
  const machineNames: string[] = [];
  const locationNames: string[] = [];
  const partNames: string[] = [];

  function readFile<T>(path: string, read: Reader<T>): T {
    const file = join(folder, path);
    try {
      return read(JSON.parse(readFileSync(file, 'utf8')) as JsonValue, '');
    } catch (error) {
      if (error instanceof DemoDataError) throw error;
      throw new DemoDataError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Returns the path of a file that a key in another file names. */
  function requireFile(path: string, key: string): string {
    if (existsSync(join(folder, path))) return path;
    throw new KeyError(key, `names ${path}, which doesn't exist`);
  }

  const readText = (path: string, key: string): string =>
    readFileSync(join(folder, requireFile(path, key)), 'utf8');

  function addName(known: string[], name: string, key: string): void {
    if (known.includes(name)) throw new KeyError(key, `repeats the name "${name}"`);
    known.push(name);
  }

  function rejectUnlistedFiles(subfolder: string, listed: readonly string[]): void {
    const unlisted = readdirSync(join(folder, subfolder)).find(
      (file) => !listed.some((name) => file === `${name}.json`),
    );
    if (unlisted !== undefined) {
      throw new DemoDataError(
        `${join(folder, subfolder, unlisted)}: organization.json doesn't list this file`,
      );
    }
  }

  function checkAge(daysAgo: number, limit: number, key: string): number {
    if (daysAgo < limit) return daysAgo;
    throw new KeyError(
      key,
      `must be less than ${String(limit)}, because it is older than what it depends on`,
    );
  }

  /** Accepts the ages of anything that belongs to the organization. */
  const age: Reader<number> = (value, key) => checkAge(count(value, key), organizationAge, key);

  /** Returns the complete config after each edit. */
  function applyEdits(
    { config, edits }: { config: JsonObject; edits: Read<typeof edit>[] },
    createdDaysAgo: number,
    key: string,
  ): EditedConfig[] {
    checkFragments(config, createdDaysAgo, joinKey(key, 'config'));
    let current = config;
    return edits.map(({ daysAgo, by, ...changes }, index) => {
      const editKey = `${joinKey(key, 'edits')}[${String(index)}]`;
      checkAge(daysAgo, edits[index - 1]?.daysAgo ?? createdDaysAgo, joinKey(editKey, 'daysAgo'));
      current = editConfig(current, changes, editKey);
      checkFragments(current, daysAgo, editKey);
      return { daysAgo, by, config: current };
    });
  }

  function checkFragments(config: JsonObject, daysAgo: number, key: string): void {
    replaceFragmentNames(config, (name) => {
      if ((fragmentAges.get(name) ?? 0) > daysAgo) return name;
      throw new KeyError(
        key,
        fragmentAges.has(name)
          ? `uses the fragment "${name}", which is created later`
          : `uses the fragment "${name}"; organization.json must list it, before fragments that use it`,
      );
    });
  }

  const fragment = (value: JsonValue | undefined, key: string) => {
    const name = text(value, key);
    if (fragmentAges.has(name)) throw new KeyError(key, `repeats the name "${name}"`);
    const plan = readFile(requireFile(`fragments/${name}.json`, key), (content) => {
      const read = fragmentFile(content, '');
      const { daysAgo, shared } = read;
      checkAge(daysAgo, organizationAge, 'daysAgo');
      if (shared !== undefined) checkAge(shared.daysAgo, daysAgo, 'shared.daysAgo');
      return { ...read, name, edits: applyEdits(read, daysAgo, '') };
    });
    fragmentAges.set(name, plan.daysAgo);
    return plan;
  };

  const machineFile = object({
    daysAgo: count,
    metadata: optional(jsonObject),
    parts: record(partKeys),
  });
  const machine: Reader<MachinePlan> = (value, key) => {
    const name = text(value, key);
    addName(machineNames, name, key);
    return readFile(requireFile(`machines/${name}.json`, key), (content) => {
      const { daysAgo, metadata, parts } = machineFile(content, '');
      // Locations are created one day after the organization.
      checkAge(daysAgo, organizationAge - 1, 'daysAgo');
      if (Object.keys(parts)[0] !== 'main') throw new KeyError('parts', 'must start with "main"');
      const plans = Object.entries(parts).map(([suffix, plan]): [string, PartPlan] => {
        const partKey = joinKey('parts', suffix);
        addName(partNames, `${name}-${suffix}`, partKey);
        return [suffix, { ...plan, edits: applyEdits(plan, daysAgo, partKey) }];
      });
      return { name, daysAgo, metadata, parts: Object.fromEntries(plans) };
    });
  };

  const location: Reader<LocationPlan> = (value, key) => {
    const plan = object({
      name: text,
      metadata: optional(jsonObject),
      machines: optional(list(machine), []),
      locations: optional(list(location), []),
    })(value, key);
    addName(locationNames, plan.name, joinKey(key, 'name'));
    return plan;
  };

  const knownLocation = oneOf(locationNames);
  /** Location to which the role applies; the whole organization if absent. */
  const roleKeys = { role: oneOf(['owner', 'operator']), location: optional(knownLocation) };

  // Readers read the keys in this order, so later ones can refer to the names in earlier ones.
  const organization = readFile(
    'organization.json',
    object({
      name: text,
      /** Public namespace. Used only if it isn't taken. */
      namespace: text,
      daysAgo: (value, key) => (organizationAge = workingDays(value, key)),
      utcOffsetHours: number,
      /** JSON indentation that the company's users prefer, in spaces or as text. */
      indent: (value, key) => (typeof value === 'string' ? value : count(value, key)),
      metadata: jsonObject,
      /** Names of the keys that the company's users and programs use for edits. */
      keyNames: object({ engineers: text, pipeline: text }),
      fragments: list(fragment),
      locations: list(location),
      members: list(
        object({
          email: text,
          ...roleKeys,
          invitedDaysAgo: age,
          /** Absent for a user who hasn't joined yet. */
          lastLoginDaysAgo: optional(age),
        }),
      ),
      /** API keys other than the keys that make the company's edits. */
      keys: optional(list(object({ name: text, ...roleKeys, daysAgo: age })), []),
      /** Locations that are shared with another company, which is identified by its name. */
      shares: optional(list(object({ location: knownLocation, with: text, daysAgo: age })), []),
    }),
  );
  rejectUnlistedFiles('fragments', [...fragmentAges.keys()]);
  rejectUnlistedFiles('machines', machineNames);
  return {
    ...organization,
    captures: readFile('captures.json', createCapturesReader(oneOf(partNames))),
    registry: existsSync(join(folder, 'registry.json'))
      ? readFile('registry.json', createRegistryReader(readText, age))
      : { modules: [], packages: [] },
  };
}

/** Models of readings by their names in `captures.json`. */
const { rounds, ...readingModels } = machineReadings;
const MODELS: ReadonlyMap<string, ReadingModel> = new Map(Object.entries(readingModels));

/** Returns the reader for data that machines have captured in the last few days. */
function createCapturesReader(part: Reader<string>) {
  const source = { part, componentType: text, componentName: text, methodName: text };
  const tags = optional(list(text), []);
  /** Name of the dataset that a user added the item to. */
  const dataset = optional(text);
  const modelName = oneOf([...MODELS.keys()]);
  const center = object({ latitude: number, longitude: number, altitude: number });
  const model: Reader<ReadingModel> = (value, key) =>
    isJsonObject(value)
      ? rounds(object({ roundsAt: center })(value, key).roundsAt)
      : (MODELS.get(modelName(value, key)) ?? readingModels.position);
  return object({
    /** Readings that a part has periodically uploaded until now. */
    readings: optional(list(object({ ...source, model, everyMinutes: count, tags })), []),
    /** Images of the hall with objects that the machine's camera sees. */
    images: optional(
      list(
        object({
          ...source,
          hoursAgo: number,
          format: oneOf(['jpeg', 'png']),
          tags,
          /** True if a user has labeled the objects in the image. */
          labeled: optional(boolean, false),
          dataset,
        }),
      ),
      [],
    ),
    /**
     * Images that a camera has periodically captured until now, most of which have not been
     * reviewed. Every nth image has the tags.
     */
    imageSeries: optional(
      list(object({ ...source, everyMinutes: count, taggedEvery: count, tags })),
      [],
    ),
    /**
     * Images of cartons below a camera, classified and labeled by users. There are enough images to
     * train a model.
     */
    inspections: optional(
      list(
        object({
          ...source,
          firstHoursAgo: number,
          lastHoursAgo: number,
          count,
          dataset: text,
        }),
      ),
      [],
    ),
    /** Point clouds of the hall. */
    scans: optional(
      list(object({ ...source, hoursAgo: number, encoding: oneOf(PCD_ENCODINGS), tags, dataset })),
      [],
    ),
  });
}

/** Returns the reader for registry items, private and public. */
function createRegistryReader(
  readText: (path: string, key: string) => string,
  age: Reader<number>,
) {
  const item = {
    name: text,
    description: text,
    /** Uploads, oldest first. */
    versions: list(object({ version: text, daysAgo: age })),
  };
  /** Modules, which are registered before their first version is uploaded. */
  const module = object({
    ...item,
    url: anyText,
    /** Model triplets with their component subtypes. */
    models: list(object({ subtype: text, model: text, description: text })),
    entrypoint: text,
    platforms: list(text),
    // A separate date is necessary because modules are created as private (spec part 3).
    shared: optional(object({ daysAgo: age, visibility: oneOf(['private', 'public']) })),
  });
  /** Models and training scripts, which are created by their first upload. */
  const registryPackage = object({
    ...item,
    type: oneOf(['mlModel', 'trainingScript']),
    metadata: jsonObject,
    /** Files in the archive, in `registry/NAME`. */
    files: list(text),
  });
  return object({
    modules: list((value, key) => {
      const plan = module(value, key);
      return { ...plan, markdown: readText(`registry/${plan.name}/README.md`, key) };
    }),
    packages: list((value, key) => {
      const plan = registryPackage(value, key);
      const files = plan.files.map((path, index): FilePlan => ({
        path,
        text: readText(`registry/${plan.name}/${path}`, `${key}.files[${String(index)}]`),
      }));
      return { ...plan, files };
    }),
  });
}

/** Returns a config with the names of its fragments replaced, for example by their IDs. */
export function replaceFragmentNames(
  config: JsonObject,
  replace: (name: string) => string,
): JsonObject {
  const replaceIn = (entries: JsonValue, nameKey: string): JsonValue =>
    Array.isArray(entries)
      ? entries.map((entry) => {
          const name = isJsonObject(entry) ? entry[nameKey] : undefined;
          return isJsonObject(entry) && typeof name === 'string'
            ? { ...entry, [nameKey]: replace(name) }
            : entry;
        })
      : entries;
  return Object.fromEntries(
    Object.entries(config).map(([section, entries]): [string, JsonValue] => {
      if (section === 'fragments') return [section, replaceIn(entries, 'id')];
      if (section === 'fragment_mods') return [section, replaceIn(entries, 'fragment_id')];
      return [section, entries];
    }),
  );
}
