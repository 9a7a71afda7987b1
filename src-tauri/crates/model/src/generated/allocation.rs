//! Tables and lookups of `schema/tables/allocation.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// How a part of the charges is split. Charges are split by the first rule, by position, whose scope they meet; they themselves never change.
    AllocationRule in allocation_rule by id {
        id: Id<AllocationRule>,
        tenant: Id<Tenant>,
        /// Unique in the tenant.
        name: String,
        /// Rules are tried in this order, then by name.
        position: i64,
        /// Which charges are split: as `budget.scope`, and `{"untagged": ["team"]}` for those without any of these tags. `{}` is refused: a rule for
        /// all charges leaves none to split them by.
        scope: Json,
        method: AllocationMethod,
        /// What those who share are: `tags.KEY`, `account_id`, `service_name` and so on. Of even and fixed shares it only says what the names mean.
        target: String,
        /// Those who share, with their weight: `{"web": 60, "data": 40}`. Even shares need names alone; fixed shares are percentages, and what they lack of 100 stays unallocated.
        shares: Json,
        /// By another cost: which charges, by their month; as `scope`. `{}` is all that no rule splits.
        basis: Json,
        /// By usage: the name of a number in `business_number`; its groups share by their sums of the month.
        number_name: Option<String>,
        is_active: bool,
        created_at: ZonedTimestamp,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// What fell to one of those who share, by day: the receipt of a split. Made from charges and rules, anew whenever they change, of the last 400 days and of
    /// every day that was split before.
    AllocatedCost in allocated_cost by id {
        id: Id<AllocatedCost>,
        tenant: Id<Tenant>,
        rule_id: Id<AllocationRule>,
        date: Date,
        currency: String,
        /// Who shares; empty for what stays unallocated.
        target: String,
        /// What the charges of the rule came to on the day.
        source_amount: Decimal,
        /// The weight of the target, and that of all together. What is unallocated of fixed shares has the weight that they lack of 100; else it has none.
        weight: Decimal,
        weight_total: Decimal,
        /// source_amount × weight ÷ weight_total, to the last digit of source_amount; cents that are left go to who lost most, in turns by day where several lost the same.
        amount: Decimal,
    }
}

table! {
    /// A number of the business on a day, such as orders or active users.
    BusinessNumber in business_number by id {
        id: Id<BusinessNumber>,
        tenant: Id<Tenant>,
        /// What is counted, such as `orders`.
        name: String,
        /// Whose it is, such as a team; empty when it is not told apart.
        group: String,
        date: Date,
        value: Decimal,
    }
}

table! {
    /// A tag whose values rules derive from charges. It stands in `spends.tags` under `virtual:` and its key, so that it never meets a tag of a file.
    VirtualTag in virtual_tag by id {
        id: Id<VirtualTag>,
        tenant: Id<Tenant>,
        /// Letters, digits, `_` and `-`. Unique in the tenant; charges have it as the tag `virtual:KEY`.
        key: String,
        /// What people call it.
        name: String,
        /// A list, of which a charge takes the first that gives it a value: `{"scope": {"service_name": ["Amazon EC2"]}, "value": "web"}`, or
        /// `{"scope": {}, "tags": ["env", "Env"]}` for the value of the first of these tags that the charge has. `scope` is as
        /// `allocation_rule.scope`, `{}` for all charges, with `resource_name_contains` for parts of the name of the resource in any case.
        rules: Json,
        /// The value of charges that no rule gives one; none when null.
        other_value: Option<String>,
        /// In lists, tags are in this order, then by name.
        position: i64,
        is_active: bool,
        created_at: ZonedTimestamp,
        updated_at: ZonedTimestamp,
    }
}

table! {
    /// Which virtual tags charges have, by which rules: what is to be taken away again when a tag changes or goes.
    VirtualTagKey in virtual_tag_key by id {
        id: Id<VirtualTagKey>,
        tenant: Id<Tenant>,
        /// The key of the tag, as `virtual_tag.key`.
        key: String,
        /// `rules` and `other_value` of the tag when its values were written.
        written: Json,
        /// The last writing of its values, by a random id: what was read of charges before it is no longer so.
        version: Option<Uuid>,
    }
}

lookup! {
    /// What a rule splits by.
    AllocationMethod {
        /// The same for everyone who is named.
        Even = "even",
        /// Fixed percentages.
        Fixed = "fixed",
        /// In proportion to what each was charged otherwise in the month.
        Cost = "cost",
        /// In proportion to a number of the business in the month.
        Usage = "usage",
    }
}
