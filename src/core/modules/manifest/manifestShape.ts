/**
 * Type of a manifest field. `null` counts as absent, because public tools write it for empty lists.
 */
export type FieldShape =
  | 'text'
  | 'texts'
  | 'anything'
  | { readonly fields: Fields }
  | { readonly each: Fields };

export type Fields = Readonly<Record<string, FieldShape>>;

const MODEL: Fields = {
  api: 'text',
  model: 'text',
  short_description: 'text',
  markdown_link: 'text',
  supported_hardware: 'texts',
};

const APP: Fields = {
  name: 'text',
  type: 'text',
  entrypoint: 'text',
  fragmentIds: 'texts',
  allowedOrgIds: 'texts',
  logoPath: 'text',
  customizations: 'anything',
};

/**
 * Fields that public tools know. Other fields are left unchanged, because other programs might read
 * them.
 */
export const MANIFEST_FIELDS: Fields = {
  $schema: 'text',
  module_id: 'text',
  visibility: 'text',
  url: 'text',
  description: 'text',
  markdown_link: 'text',
  models: { each: MODEL },
  entrypoint: 'text',
  first_run: 'text',
  min_viam_server_version: 'text',
  build: {
    fields: { setup: 'text', build: 'text', path: 'text', arch: 'texts', darwin_deps: 'texts' },
  },
  applications: { each: APP },
  apps: { each: APP },
};
