import { create } from '@bufbuild/protobuf';
import { gzipSync } from 'node:zlib';
import { PackageType } from '../../gen/viam/app/packages/v1/packages_pb';
import { ModelSchema, Visibility } from '../../gen/viam/app/v1/registry_pb';
import type { FilePlan, ModulePlan, PackagePlan, RegistryPlan } from './demoData';
import type { Pending, Stage } from './story';
import { tarEnd, tarHeader, tarPadding } from '../../archives/tarHeader';

const TYPES = {
  mlModel: PackageType.ML_MODEL,
  trainingScript: PackageType.ML_TRAINING,
} as const;

const VISIBILITIES = { private: Visibility.PRIVATE, public: Visibility.PUBLIC } as const;

/** Event on a working day. */
interface RegistryStep {
  daysAgo: number;
  occasion: string;
  /** Number of minutes after the occasion's first event. */
  minutesLater: number;
  run: () => Promise<void>;
}

/**
 * Creates a company's registry items: first the names, then the metadata, and finally the archives.
 */
export class RegistrySteps {
  constructor(
    private readonly stage: Stage,
    private readonly organization: Pending,
    private readonly namespace: string,
  ) {}

  of({ modules, packages }: RegistryPlan): RegistryStep[] {
    return [
      ...modules.flatMap((plan) => this.moduleSteps(plan)),
      ...packages.flatMap((plan) => this.packageSteps(plan)),
    ];
  }

  private moduleSteps(plan: ModulePlan): RegistryStep[] {
    const { owner } = this.stage;
    const [first] = plan.versions;
    const { shared } = plan;
    const uploads = plan.versions.flatMap(({ version, daysAgo }) =>
      plan.platforms.map((platform, index) => ({
        daysAgo,
        occasion: `${plan.name} ${version}`,
        minutesLater: index + 1,
        run: () => this.upload(plan, version, platform),
      })),
    );
    const register = async (): Promise<void> => {
      await owner.createModule({ organizationId: this.organization.id, name: plan.name });
      await this.describe(plan, Visibility.PRIVATE);
    };
    const occasion = `${plan.name} ${first?.version ?? ''}`;
    return [
      { daysAgo: first?.daysAgo ?? 1, occasion, minutesLater: 0, run: register },
      ...uploads,
      ...(shared === undefined
        ? []
        : [
            {
              daysAgo: shared.daysAgo,
              occasion: `${plan.name} shared`,
              minutesLater: 0,
              run: () => this.describe(plan, VISIBILITIES[shared.visibility]),
            },
          ]),
    ];
  }

  /**
   * Sends all of a module's metadata, because the service would clear missing fields (spec part 3,
   * UpdateModule).
   */
  private async describe(plan: ModulePlan, visibility: Visibility): Promise<void> {
    const { url, description, entrypoint, markdown } = plan;
    await this.stage.owner.updateModule({
      moduleId: this.getItemId(plan),
      visibility,
      url,
      description,
      entrypoint,
      markdownDescription: markdown,
      models: plan.models.map((one) =>
        create(ModelSchema, {
          api: `rdk:component:${one.subtype}`,
          model: one.model,
          description: one.description,
        }),
      ),
    });
  }

  private async upload(plan: ModulePlan, version: string, platform: string): Promise<void> {
    const files = moduleFiles(this.namespace, plan, version, platform);
    const archive = demoArchive(files, this.stage.now);
    const info = { moduleId: this.getItemId(plan), version, platform };
    await this.stage.owner.uploadModuleFile(
      inTurn([
        { moduleFile: { case: 'moduleFileInfo', value: info } },
        { moduleFile: { case: 'file', value: archive } },
      ] as const),
    );
  }

  private packageSteps(plan: PackagePlan): RegistryStep[] {
    const { name, type, description, versions, metadata, files } = plan;
    return versions.map(({ version, daysAgo }, index) => ({
      daysAgo,
      occasion: `${name} ${version}`,
      minutesLater: 0,
      run: async () => {
        const organizationId = this.organization.id;
        const info = { organizationId, name, version, type: TYPES[type], metadata };
        const archive = demoArchive(files, this.stage.now);
        await this.stage.packages.createPackage(
          inTurn([
            { package: { case: 'info', value: info } },
            { package: { case: 'contents', value: archive } },
          ] as const),
        );
        // An upload can't include descriptions.
        if (index === 0) {
          await this.stage.owner.updateRegistryItem({
            itemId: this.getItemId(plan),
            type: TYPES[type],
            visibility: Visibility.PRIVATE,
            description,
          });
        }
      },
    }));
  }

  /**
   * Returns an item ID that remains valid even if another organization has taken the company's
   * namespace.
   */
  private getItemId({ name }: ModulePlan | PackagePlan): string {
    return `${this.organization.id}:${name}`;
  }
}

async function* inTurn<T>(messages: readonly T[]): AsyncGenerator<T> {
  for (const message of messages) {
    yield await Promise.resolve(message);
  }
}

const PERMISSIONS = 0o755;

/** Returns a `.tar.gz` archive of the given files, all with the same modification time. */
export function demoArchive(files: readonly FilePlan[], at: Date): Uint8Array {
  const chunks = files.flatMap(({ path, text, isExecutable = false }) => {
    const content = Buffer.from(text);
    const entry = {
      path,
      type: 'file',
      size: content.length,
      isExecutable,
      mode: PERMISSIONS,
      mtime: at.getTime(),
      changedAt: at.getTime(),
    } as const;
    return [tarHeader(entry, isExecutable), content, tarPadding(content.length)];
  });
  return gzipSync(Buffer.concat([...chunks, tarEnd()]));
}

/**
 * Returns the files in a module's archive for a platform: its manifest, and a program that prints
 * its name.
 */
function moduleFiles(
  namespace: string,
  { name, description, url, models, entrypoint, markdown }: ModulePlan,
  version: string,
  platform: string,
): FilePlan[] {
  const manifest = {
    module_id: `${namespace}:${name}`,
    visibility: 'private',
    url,
    description,
    markdown_link: 'README.md',
    models: models.map(({ subtype, model }) => ({ api: `rdk:component:${subtype}`, model })),
    entrypoint,
  };
  return [
    { path: 'meta.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` },
    { path: 'README.md', text: markdown },
    { path: entrypoint, text: program(`${name} ${version} (${platform})`), isExecutable: true },
  ];
}

function program(what: string): string {
  return `#!/bin/sh\necho "${what} of the demo fleet: it does nothing" >&2\nexit 1\n`;
}
