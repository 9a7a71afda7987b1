import { graphql } from '@/api';
import type { ResultOf } from '@/api';

/** The virtual tags in their order. */
export const VirtualTags = graphql(`
  query VirtualTags {
    virtual_tag(order_by: [{ position: asc }, { name: asc }, { id: asc }]) {
      id
      key
      name
      rules
      other_value
      position
      is_active
    }
  }
`);

export type VirtualTag = ResultOf<typeof VirtualTags>['virtual_tag'][number];

/** The values that drafted rules would set on the charges of a month. */
export const TagPreview = graphql(`
  query VirtualTagPreview($request: VirtualTagPreviewRequest!) {
    virtual_tag_preview(request: $request) {
      rows {
        rule
        value
        currency
        amount
        charges
        share
      }
      without {
        account_id
        service_name
        currency
        amount
        charges
      }
    }
  }
`);

export type PreviewAnswer = NonNullable<ResultOf<typeof TagPreview>['virtual_tag_preview']>;
export type PreviewRow = PreviewAnswer['rows'][number];

export const AddTag = graphql(`
  mutation VirtualTagAdd($tag: virtual_tag_insert_input!) {
    insert_virtual_tag_one(object: $tag) {
      id
    }
  }
`);

export const ChangeTag = graphql(`
  mutation VirtualTagChange($id: uuid!, $tag: virtual_tag_set_input!) {
    update_virtual_tag_by_pk(pk_columns: { id: $id }, _set: $tag) {
      id
    }
  }
`);

export const RemoveTag = graphql(`
  mutation VirtualTagRemove($id: uuid!) {
    delete_virtual_tag_by_pk(id: $id) {
      id
    }
  }
`);

/** How much of the cost is tagged. */
export const Coverage = graphql(`
  query TagCoverage($from: String!, $to: String!) {
    tag_coverage(request: { from: $from, to: $to }) {
      currency
      taggable
      untaggable
      tagged
      keys {
        key
        amount
        share
        values
      }
      virtual_tags {
        key
        amount
        share
        values
      }
      spellings {
        keys
        amount
      }
    }
  }
`);

export type CoverageRow = NonNullable<ResultOf<typeof Coverage>['tag_coverage']>['keys'][number];
