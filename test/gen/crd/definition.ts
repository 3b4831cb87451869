import type { Column, CustomResource } from '#api/custom-resource.ts';
import type { JsonObject } from '#core/object/object.ts';
import { structuralSchema } from './structural.ts';

/** Tells them from the definitions that an operator brought: who removes ours removes them by it. */
const LABELS = { 'app.kubernetes.io/part-of': 'minutehand' };

function column({ name, type, jsonPath, priority }: Column): JsonObject {
  return { name, type, jsonPath, ...(priority === undefined ? {} : { priority }) };
}

export function objectSchema({
  description,
  spec,
  status,
  specRequired,
  nullable,
}: CustomResource): JsonObject {
  return {
    description,
    type: 'object',
    ...(specRequired ? { required: ['spec'] } : {}),
    properties: {
      apiVersion: { description: 'Group and version of the API.', type: 'string' },
      kind: { description: 'The kind of the object.', type: 'string' },
      metadata: { type: 'object' },
      spec: structuralSchema({ ...spec, nullable }, 'spec'),
      status: structuralSchema({ ...status, nullable: false }, 'status'),
    },
  };
}

/** The CustomResourceDefinition of a kind. */
export function definitionOf(resource: CustomResource): JsonObject {
  const { group, version, kind, plural, singular, shortNames, namespaced } = resource.resource;
  const { columns, selectable = [], categories = [] } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: LABELS },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length === 0 ? {} : { shortNames }),
        ...(categories.length === 0 ? {} : { categories }),
      },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns.map(column),
          ...(selectable.length === 0
            ? {}
            : { selectableFields: selectable.map((jsonPath): JsonObject => ({ jsonPath })) }),
          schema: { openAPIV3Schema: objectSchema(resource) },
          subresources: { status: {} },
        },
      ],
    },
  };
}
