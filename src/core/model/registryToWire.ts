import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AppSchema, ModelSchema } from '../../gen/viam/app/v1/registry_pb';
import type { ModelFramework, ModelTask, ModuleApp, ModuleModel } from './registryItem';
import { MODEL_FRAMEWORKS, MODEL_TASKS } from './registryWire';

/** Converts a model of a module for updates. */
export function modelToWire(model: ModuleModel): MessageInitShape<typeof ModelSchema> {
  return {
    api: model.api,
    model: model.model,
    supportedHardware: [...(model.supportedHardware ?? [])],
    ...(model.description !== undefined && { description: model.description }),
    ...(model.markdown !== undefined && { markdownDocumentation: model.markdown }),
  };
}

/** Converts an app of a module for updates. */
export function appToWire(app: ModuleApp): MessageInitShape<typeof AppSchema> {
  const { heading, subheading } = app.machinePicker ?? {};
  return {
    name: app.name,
    type: app.type,
    entrypoint: app.entrypoint,
    fragmentIds: [...(app.fragmentIds ?? [])],
    ...(app.logoPath !== undefined && { logoPath: app.logoPath }),
    ...(app.machinePicker && {
      customizations: {
        machinePicker: {
          ...(heading !== undefined && { heading }),
          ...(subheading !== undefined && { subheading }),
        },
      },
    }),
    ...(app.allowedOrganizationIds && {
      allowedOrgIds: { ids: [...app.allowedOrganizationIds] },
    }),
  };
}

/** Converts the task and format of a model to the wire's numbers. */
export function modelKindToWire({
  task,
  framework,
}: {
  readonly task: ModelTask;
  readonly framework: ModelFramework;
}) {
  return { modelType: MODEL_TASKS[task], modelFramework: MODEL_FRAMEWORKS[framework] };
}
