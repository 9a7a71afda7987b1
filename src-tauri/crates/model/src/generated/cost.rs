//! Tables and lookups of `schema/tables/cost.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// What a tenant owes for its subscription of the service itself, not for the clouds it watches.
    Billing in billing by id {
        id: Id<Billing>,
        tenant_id: Id<Tenant>,
        /// Not yet paid.
        amount_due: Decimal,
        /// Of the latest bill.
        last_billed_amount: Decimal,
        last_billed_date: Option<Timestamp>,
        /// The plan that is subscribed.
        tier: Option<String>,
        /// Since the beginning.
        total_paid: Decimal,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// Metered use of the service itself on one day, and what it costs.
    BillingUsageCost in billing_usage_cost by id {
        id: Id<BillingUsageCost>,
        tenant_id: Id<Tenant>,
        /// The account the use belongs to; none for the tenant as a whole.
        account_id: Option<Id<CloudAccount>>,
        /// The day of use.
        billing_date: Timestamp,
        /// Price of one unit.
        cost_per_unit: Decimal,
        /// What was metered.
        name: String,
        /// The part of the service that was used.
        service_name: String,
        /// `units` times `cost_per_unit`.
        total_cost: Decimal,
        /// How many were used.
        units: i64,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// Money of one funding source given to one business unit for a time. How it stands tells `spend_budgets`. It has no currency: it is meant in the one
    /// that its charges are in.
    BusinessunitFunding in businessunit_funding by id {
        id: Id<BusinessunitFunding>,
        tenant: Id<Tenant>,
        /// Given.
        amount: Decimal,
        /// Who may spend it.
        business_unit: Id<BusinessUnit>,
        /// Last day it may be spent; open when absent.
        end_date: Option<Timestamp>,
        /// Where it comes from.
        funding_source: Id<FundingSource>,
        /// Meant to be given.
        planned_amount: Decimal,
        /// First day it may be spent; open when absent.
        start_date: Option<Timestamp>,
        created_at: Timestamp,
        created_by: Id<User>,
        updated_at: Timestamp,
        updated_by: Id<User>,
    }
}

table! {
    /// Money that is available for spending: a budget line, a grant, a credit.
    FundingSource in funding_sources by id {
        id: Id<FundingSource>,
        tenant: Id<Tenant>,
        /// Available.
        amount: Decimal,
        description: String,
        /// Last day it may be spent.
        end_date: Timestamp,
        name: String,
        /// The person answerable for it.
        owners: Uuid,
        /// Meant to become available.
        planned_amount: Option<Decimal>,
        /// First day it may be spent.
        start_date: Timestamp,
        /// People who may see and give it.
        user_groups: Option<Id<UserGroup>>,
        created_at: Timestamp,
        created_by: Id<User>,
        updated_at: Option<Timestamp>,
        updated_by: Id<User>,
    }
}

table! {
    /// One charge: what one line of a cost file says, or what was written through the interface.
    Spend in spends by id {
        id: Id<Spend>,
        tenant: Id<Tenant>,
        /// The account that was charged (the sub-account of a FOCUS file, else its billing account).
        cloud_account: Id<CloudAccount>,
        /// What was charged: the billed cost, in the currency of `unit`. Exact to the last digit the file had.
        amount: Decimal,
        /// Who answers for the charge.
        business_unit: Option<Id<BusinessUnit>>,
        /// What the charge is for; none for taxes, support and the like.
        cloud_resource_id: Option<Id<CloudResourse>>,
        /// Start of the period the charge is for, UTC.
        date: Timestamp,
        /// Left out of totals, because another row already counts it.
        exclude_aggregate: Option<bool>,
        /// Labels of the resource as the file had them, an object of texts.
        tags: Option<Json>,
        /// Currency, as a three-letter code.
        unit: Option<String>,
        /// The import that wrote the row; none for rows written through the interface.
        import_id: Option<Id<Import>>,
        /// Line of the file the row came from, counted from 1 as an editor shows it, titles and blank lines included.
        source_line: Option<i64>,
        /// End of the period the charge is for, exclusive, UTC.
        period_end: Option<Timestamp>,
        /// Start of the billing period (usually a month) the charge is invoiced in. Restated files replace whole periods.
        billing_period_start: Option<Timestamp>,
        /// End of the billing period, exclusive.
        billing_period_end: Option<Timestamp>,
        /// The account the invoice goes to, as the provider spells it.
        billing_account_id: Option<String>,
        /// What the use costs when prepaid commitments are spread over the use they cover.
        effective_cost: Option<Decimal>,
        /// What it would cost at public prices.
        list_cost: Option<Decimal>,
        /// What it would cost at negotiated prices, before commitments.
        contracted_cost: Option<Decimal>,
        /// Who made the resource available.
        provider_name: Option<String>,
        /// Who produced what was bought; differs from the provider in a marketplace.
        publisher_name: Option<String>,
        /// The service as its provider calls it.
        service_name: Option<String>,
        /// The kind of service, one of the categories of FOCUS.
        service_category: Option<String>,
        /// The kind of service within its category.
        service_subcategory: Option<String>,
        /// Where it ran, as the provider spells it.
        region: Option<String>,
        /// The region in words.
        region_name: Option<String>,
        /// Where within the region.
        availability_zone: Option<String>,
        /// Usage, Purchase, Tax, Credit or Adjustment.
        charge_category: Option<String>,
        /// `Correction` when the row corrects an earlier period.
        charge_class: Option<String>,
        /// One-Time, Recurring or Usage-Based.
        charge_frequency: Option<String>,
        /// The charge in the provider's words.
        charge_description: Option<String>,
        /// Standard, Dynamic, Committed or Other.
        pricing_category: Option<String>,
        /// How much was priced, in `pricing_unit`.
        pricing_quantity: Option<Decimal>,
        pricing_unit: Option<String>,
        /// How much was used, in `consumed_unit`.
        consumed_quantity: Option<Decimal>,
        consumed_unit: Option<String>,
        /// The product in the provider's price list.
        sku_id: Option<String>,
        /// The price in the provider's price list.
        sku_price_id: Option<String>,
        /// What of the product was metered.
        sku_meter: Option<String>,
        /// The invoice it stands on.
        invoice_id: Option<String>,
        /// Who issues the invoice.
        invoice_issuer_name: Option<String>,
        /// The reservation or savings plan that applies to the charge.
        commitment_discount_id: Option<String>,
        commitment_discount_name: Option<String>,
        commitment_discount_type: Option<String>,
        /// Spend or Usage: what was committed to.
        commitment_discount_category: Option<String>,
        /// Used or Unused.
        commitment_discount_status: Option<String>,
        /// What the line says beyond these columns, under the names of the file: unit prices, columns of the provider.
        details: Option<Json>,
    }
}

lookup! {
    /// Services whose charges are shown as a group of their own.
    SpendsResourceGroupType {
        /// Functions that run on demand.
        AWSLambda = "AWSLambda",
        /// Content delivery.
        AmazonCloudFront = "AmazonCloudFront",
        /// Metrics, logs and alarms.
        AmazonCloudWatch = "AmazonCloudWatch",
        /// Names and domains.
        AmazonRoute53 = "AmazonRoute53",
        /// Object storage.
        AmazonS3 = "AmazonS3",
    }
}

table! {
    /// Services whose charges are shown as a group of their own.
    SpendsResourceGroupTypeRow in spends_resource_group_type by value {
        value: String,
        description: String,
        cloud_provider: CloudProviderType,
    }
}

table! {
    /// A part of the organisation that has money to spend and charges to answer for.
    BusinessUnit in business_unit by id {
        id: Id<BusinessUnit>,
        tenant: Id<Tenant>,
        description: String,
        name: String,
        /// The unit it is part of.
        parent_business_unit: Option<Uuid>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
        updated_by: Uuid,
    }
}

table! {
    /// A piece of work with a beginning, people and money.
    Project in projects by id {
        id: Id<Project>,
        tenant: Id<Tenant>,
        /// Who let it begin.
        approved_by: Option<Uuid>,
        /// Whether its cost is passed on to a customer.
        billable: Option<bool>,
        /// The unit that runs it.
        business_unit: Id<BusinessUnit>,
        category: Option<ProjectCategoryType>,
        description: String,
        ended_at: Option<Timestamp>,
        /// What it is meant to bring in.
        expected_revenue: Option<Decimal>,
        /// Answers for its technology.
        it_manager: Option<Uuid>,
        name: String,
        /// Answers for its progress.
        project_manager: Option<Uuid>,
        started_at: Option<Timestamp>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
        updated_by: Uuid,
    }
}

table! {
    /// Share of a project in an account.
    ProjectAccount in project_accounts by id {
        id: Id<ProjectAccount>,
        /// The account.
        account_id: Id<CloudAccount>,
        /// The last day of the share; open when absent.
        allocation_end: Option<Timestamp>,
        /// Share of the account's cost that belongs to the project, in percent.
        allocation_pct: Option<f64>,
        /// The first day of the share; open when absent.
        allocation_start: Option<Timestamp>,
        /// What the project may spend in the account.
        budget: Option<Decimal>,
        project_id: Id<Project>,
        created_at: Option<Timestamp>,
        created_by: Option<Uuid>,
        updated_at: Option<Timestamp>,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// Share of a project in one resource of an account.
    ProjectCloudResource in project_cloud_resources by id {
        id: Id<ProjectCloudResource>,
        /// The share holds until here.
        allocation_end: Option<Timestamp>,
        /// Share of the resource's cost that belongs to the project, in percent.
        allocation_pct: f64,
        /// The share holds from here.
        allocation_start: Timestamp,
        /// What the project may spend on the resource.
        budget: Option<Decimal>,
        cloud_resource_id: Id<CloudResourse>,
        /// The project and account it is part of.
        project_account_id: Id<ProjectAccount>,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// Money of a business unit given to a project.
    ProjectFunding in project_fundings by id {
        id: Id<ProjectFunding>,
        /// Given.
        amount: Option<Decimal>,
        /// Where it comes from.
        businessunit_funding: Id<BusinessunitFunding>,
        end_date: Option<Timestamp>,
        /// Meant to be given.
        planned_amount: Option<Decimal>,
        project: Id<Project>,
        start_date: Option<Timestamp>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
        updated_by: Uuid,
    }
}

lookup! {
    /// What a project is for.
    ProjectCategoryType {
        /// A customer.
        Delivery = "Delivery",
        /// The organisation itself.
        Internal = "Internal",
        /// Something new.
        ResearchAndDevelopment = "ResearchAndDevelopment",
        /// Learning.
        Training = "Training",
    }
}
