/** How to get the files that can be read: one entry per provider, its steps in order. */
export interface Source {
  id: string;
  title: string;
  files: readonly SourceFile[];
}

export interface SourceFile {
  /** The content of the file. */
  title: string;
  steps: readonly Step[];
}

export interface Step {
  text: string;
  command?: string;
}

/** Columns of the FOCUS view that are worth having; its lists, other than tags, do not fit into CSV. */
const focusColumns = [
  'BilledCost, EffectiveCost, ListCost, ContractedCost, BillingCurrency',
  'BillingAccountId, SubAccountId, SubAccountName, BillingPeriodStart, BillingPeriodEnd',
  'ChargePeriodStart, ChargePeriodEnd, ChargeCategory, ChargeDescription, ProviderName',
  'ServiceName, ServiceCategory, RegionId, ResourceId, ResourceName, SkuId',
  'TO_JSON_STRING(Tags) AS Tags',
].join(', ');

export const sources: readonly Source[] = [
  {
    id: 'aws',
    title: 'AWS',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text:
              'In Billing and Cost Management, open Data Exports and create a standard export of “FOCUS 1.2 with AWS columns”: ' +
              'format gzip – text/csv, file versioning “overwrite”, your bucket as destination. The first delivery arrives within 24 hours.',
          },
          {
            text: 'Fetch one month: its data files, and the manifest that lists them. A large month has several files.',
            command:
              'aws s3 cp s3://BUCKET/PREFIX/EXPORT/ . --recursive --exclude "*" --include "*/BILLING_PERIOD=2026-10/*"',
          },
          {
            text:
              'Drop the folders data and metadata here, together or one after the other. With the manifest nothing is changed before every ' +
              'file that it lists is there; missing ones are named. Without it, files that you drop one by one add up, and a month that you fetch again replaces the earlier one.',
          },
        ],
      },
      {
        title: 'Recommendations, from Compute Optimizer',
        steps: [
          {
            text: 'Export the recommendations of a region to a bucket that Compute Optimizer may write to:',
            command:
              'aws compute-optimizer export-ec2-instance-recommendations --s3-destination-config bucket=BUCKET --file-format Csv',
          },
          {
            text: 'The same for volumes:',
            command:
              'aws compute-optimizer export-ebs-volume-recommendations --s3-destination-config bucket=BUCKET --file-format Csv',
          },
          {
            text: 'Fetch the files once the export jobs are complete:',
            command: 'aws s3 cp s3://BUCKET/compute-optimizer/ . --recursive --exclude "*" --include "*.csv"',
          },
        ],
      },
    ],
  },
  {
    id: 'azure',
    title: 'Azure',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text:
              'In Cost Management, open Exports and create one of the type “Cost and usage details (FOCUS)”: ' +
              'format CSV, compression gzip or none, a container of a storage account as destination. Choose “Run now” for the first file.',
          },
          {
            text:
              'Fetch the folder of one month. Each run has a folder of its own in it, with the parts (part_0_0001.csv, part_1_0001.csv …) and ' +
              'a manifest.json that lists them.',
            command:
              'az storage blob download-batch --account-name ACCOUNT --source CONTAINER --destination . --pattern "DIRECTORY/EXPORT/20261001-20261031/*" --auth-mode login',
          },
          {
            text:
              'Drop the folder here, with its manifest.json files. The newest run counts, in whatever order the runs arrive; it replaces ' +
              'older runs when all of its parts are there.',
          },
        ],
      },
    ],
  },
  {
    id: 'gcp',
    title: 'Google Cloud',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text:
              'Under Billing, turn on the BigQuery exports of detailed usage costs and of pricing, then create the FOCUS view that ' +
              'Google gives as a query in its guide to FOCUS.',
          },
          {
            text:
              'Write one whole month of the view into one CSV file, then drop it here. The same month written again later replaces the earlier ' +
              'file; other months are added.',
            command:
              `bq query --use_legacy_sql=false --format=csv --max_rows=100000000 'SELECT ${focusColumns} ` +
              `FROM \`PROJECT.DATASET.FOCUS_VIEW\` WHERE BillingPeriodStart = "2026-10-01"' > focus-2026-10.csv`,
          },
        ],
      },
    ],
  },
  {
    id: 'oci',
    title: 'Oracle Cloud',
    files: [
      {
        title: 'Costs, as FOCUS',
        steps: [
          {
            text: 'Oracle writes the files. Let a group read them, with a policy in the root compartment:',
            command:
              'define tenancy usage-report as ocid1.tenancy.oc1..aaaaaaaaned4fkpkisbwjlr56u7cj63lf3wffbilvqknstgtvzub7vhqkggq\n' +
              'endorse group GROUP to read objects in tenancy usage-report',
          },
          {
            text: 'Fetch one month from the home region; it is a folder for each day:',
            command:
              'oci os object bulk-download --namespace-name bling --bucket-name TENANCY_OCID --prefix "FOCUS Reports/2026/10" --download-dir .',
          },
          {
            text:
              'Drop the folder here. A file has a few hours of charges and no other file has them, so the files add up. Later, fetch and drop ' +
              'the new days only, or the whole month again: a file that is here already changes nothing.',
          },
        ],
      },
    ],
  },
];
