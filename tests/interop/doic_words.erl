%% SPDX-License-Identifier: BSD-3-Clause
%% Copyright (c) 2026 the doic-agent authors
%% What the Erlang client and server share: their arguments, the AVPs they send, and what they say about a message that came in.
-module(doic_words).
-export([args/0, arg/2, arg/3, number/3, service/3, features/1, report/1, load/1, other/3, describe/1, line/1]).
-include_lib("diameter/include/diameter.hrl").

%% KEY=VALUE words of the command line.
args() ->
    maps:from_list([word(A) || A <- init:get_plain_arguments()]).

word(Text) ->
    case string:split(Text, "=") of
        [Key, Value] -> {Key, Value};
        [Key] -> {Key, "yes"}
    end.

arg(Key, Args) -> maps:get(Key, Args).

arg(Key, Args, Default) -> maps:get(Key, Args, Default).

number(Key, Args, Default) ->
    case Args of
        #{Key := "0x" ++ Hex} -> list_to_integer(Hex, 16);
        #{Key := Text} -> list_to_integer(Text);
        #{} -> Default
    end.

%% The dictionary "rfc7683" takes the overload AVPs from OTP's own dictionary, "overload" from ours of all five RFCs.
dictionary("rfc7683") -> {gx_rfc7683, diameter_gen_doic_rfc7683};
dictionary("overload") -> {gx_overload, doic_overload}.

%% A started service called Module. Errors of decoding come to Module instead of being answered or dropped by OTP. Error answers (E bit)
%% are decoded with the base dictionary, so their overload AVPs need the alternate one.
service(Module, Args, Extra) ->
    {Gx, Overload} = dictionary(arg("dictionary", Args, "rfc7683")),
    ok = diameter:start(),
    ok = diameter:start_service(Module,
        [{'Origin-Host', arg("identity", Args)},
         {'Origin-Realm', arg("realm", Args)},
         {'Host-IP-Address', [{127, 0, 0, 1}]},
         {'Vendor-Id', 0},
         {'Product-Name', "Erlang/OTP diameter"},
         {'Auth-Application-Id', [16777238]},
         {decode_format, map},
         {string_decode, false},
         {avp_dictionaries, [Overload]},
         {application, [{alias, common}, {dictionary, diameter_gen_base_rfc6733}, {module, [Module, Extra]}]},
         {application, [{alias, gx}, {dictionary, Gx}, {module, [Module, Extra]},
                        {answer_errors, callback}, {request_errors, callback}]}]).

%% "vector=0x15,source=NAME,algo=1" as the value of OC-Supported-Features.
features(Text) ->
    Args = pairs(Text),
    present(#{}, [{'OC-Feature-Vector', number("vector", Args, none)},
                  {'SourceID', arg("source", Args, none)},
                  {'OC-Peer-Algo', number("algo", Args, none)}]).

%% "type=host,seq=7,pct=50,validity=60,rate=100,source=NAME" as the value of one OC-OLR; words as for doic-traffic.
report(Text) ->
    Args = pairs(Text),
    present(#{'OC-Sequence-Number' => number("seq", Args, 1),
              'OC-Report-Type' => report_type(arg("type", Args, "host"))},
            [{'OC-Reduction-Percentage', number("pct", Args, none)},
             {'OC-Validity-Duration', number("validity", Args, none)},
             {'SourceID', arg("source", Args, none)},
             {'OC-Maximum-Rate', number("rate", Args, none)}]).

report_type("host") -> 0;
report_type("realm") -> 1;
report_type("peer") -> 2.

%% "type=host,value=50000,source=NAME" as the value of one Load.
load(Text) ->
    Args = pairs(Text),
    present(#{'Load-Type' => case arg("type", Args, "host") of "host" -> 0; "peer" -> 1 end},
            [{'Load-Value', number("value", Args, none)}, {'SourceID', arg("source", Args, none)}]).

pairs(Text) ->
    maps:from_list([word(W) || W <- string:lexemes(Text, ", ")]).

present(Map, Members) ->
    maps:merge(Map, maps:from_list([{Name, [Value]} || {Name, Value} <- Members, Value =/= none])).

%% An AVP that the grammar of the command does not name; encoded with the dictionary of the application.
other(Name, Value, Args) ->
    {Gx, _} = dictionary(arg("dictionary", Args, "rfc7683")),
    {Code, Flags, _} = Gx:avp_header(Name),
    #diameter_avp{code = Code, is_mandatory = Flags band 16#40 =/= 0, name = Name, value = Value,
                  data = {Gx, Name, Value}}.

%% What a message carried, for line/1. An AVP that did not decode has no value and is named under errors.
describe(#diameter_packet{header = Header, avps = Avps, errors = Errors}) ->
    Top = [top(A) || A <- Avps],
    [{errors, [error_text(E) || E <- Errors]},
     {error_bit, Header#diameter_header.is_error},
     {end_to_end, Header#diameter_header.end_to_end_id},
     {session, first('Session-Id', Top)},
     {origin, first('Origin-Host', Top)},
     {result, first('Result-Code', Top)},
     {drmp, first('DRMP', Top)},
     {route, values('Route-Record', Top)},
     {features, [features_members(V) || V <- values('OC-Supported-Features', Top)]},
     {reports, [report_members(V) || V <- values('OC-OLR', Top)]},
     {load, [load_members(V) || V <- values('Load', Top)]}].

top([#diameter_avp{} = Avp | _]) -> Avp;
top(#diameter_avp{} = Avp) -> Avp.

values(Name, Avps) -> [V || #diameter_avp{name = N, value = V} <- Avps, N =:= Name].

first(Name, Avps) ->
    case values(Name, Avps) of
        [Value | _] -> Value;
        [] -> none
    end.

features_members(Map) ->
    members(Map, [{vector, 'OC-Feature-Vector'}, {source, 'SourceID'}, {algo, 'OC-Peer-Algo'}]).

report_members(Map) ->
    members(Map, [{type, 'OC-Report-Type'}, {seq, 'OC-Sequence-Number'}, {pct, 'OC-Reduction-Percentage'},
                  {validity, 'OC-Validity-Duration'}, {rate, 'OC-Maximum-Rate'}, {source, 'SourceID'}]).

load_members(Map) ->
    members(Map, [{type, 'Load-Type'}, {value, 'Load-Value'}, {source, 'SourceID'}]).

%% Members that are there, and the codes of AVPs that the dictionary does not know.
members(Map, Names) when is_map(Map) ->
    [{Key, one(maps:get(Name, Map))} || {Key, Name} <- Names, is_map_key(Name, Map)] ++
        [{others, [Code || #diameter_avp{code = Code} <- maps:get('AVP', Map, [])]}];
members(_, _) ->
    [{undecoded, true}].

one([Value]) -> Value;
one(Value) -> Value.

error_text({Code, #diameter_avp{code = Avp}}) -> text("~w in AVP ~w", [Code, Avp]);
error_text({Code, Avps}) when is_list(Avps) -> text("~w in ~w AVPs", [Code, length(Avps)]);
error_text(Code) -> text("~w", [Code]).

text(Format, Values) -> unicode:characters_to_binary(io_lib:format(Format, Values)).

%% One line of JSON on standard output. A list of pairs is an object.
line(Members) ->
    io:put_chars([json(Members), $\n]).

json(none) -> "null";
json(Value) when is_atom(Value) -> atom_to_list(Value);
json(Value) when is_integer(Value) -> integer_to_list(Value);
json(Value) when is_binary(Value) -> [$", [escaped(C) || <<C>> <= Value], $"];
json([{Key, _} | _] = Members) when is_atom(Key) ->
    [${, lists:join($,, [[$", atom_to_list(K), "\":", json(V)] || {K, V} <- Members]), $}];
json([]) -> "[]";
json([Char | _] = Text) when is_integer(Char), Char >= $\s ->
    case io_lib:printable_list(Text) of
        true -> json(list_to_binary(Text));
        false -> array(Text)
    end;
json(List) when is_list(List) -> array(List).

array(List) -> [$[, lists:join($,, [json(V) || V <- List]), $]].

escaped(C) when C =:= $"; C =:= $\\ -> [$\\, C];
escaped(C) when C < $\s; C > $~ -> io_lib:format("\\u~4.16.0b", [C]);
escaped(C) -> C.
